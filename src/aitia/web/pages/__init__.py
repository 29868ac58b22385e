"""The pages of the workbench, in the order of the navigation; the first is where an index is entered."""

from aitia.web.pages.overview import overview
from aitia.web.pages.page import Page

PAGES: tuple[Page, ...] = (Page("overview", "Overview", "overview.html", overview),)
