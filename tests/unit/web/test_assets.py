"""Static files: named by their content, and never more than was there at the start."""

from __future__ import annotations

import hashlib

import pytest

from aitia.web.assets import Assets


@pytest.fixture
def assets(tmp_path) -> Assets:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "a.css").write_bytes(b"a{}")
    (tmp_path / "vendor" / "b.min.js").write_bytes(b"b()")
    (tmp_path / "secret.py").write_bytes(b"no")
    return Assets(tmp_path)


def test_the_address_follows_the_content(assets):
    mark = hashlib.sha256(b"a{}").hexdigest()[:10]
    assert assets.url("a.css") == f"/static/a.{mark}.css"
    found = assets.find(f"a.{mark}.css")
    assert (found.content, found.kind, found.cache) == (
        b"a{}",
        "text/css; charset=utf-8",
        "public, max-age=31536000, immutable",
    )
    assert assets.find("a.css").cache == "no-cache"
    assert assets.url("vendor/b.min.js").startswith("/static/vendor/b.min.")


def test_what_is_not_served(assets):
    assert assets.find("secret.py") is None
    assert assets.find("../a.css") is None
    assert assets.find("a.0000000000.css") is None
    assert (assets.has("a.css"), assets.has("missing.js")) == (True, False)
    with pytest.raises(
        LookupError, match=r"no static file 'missing\.js'; there are a\.css, vendor/b\.min\.js"
    ):
        assets.url("missing.js")


def test_the_package_has_what_its_pages_name(client):
    own = Assets()
    sent = client.get(own.url("app.css"))
    assert (sent.status_code, sent.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
    assert sent.headers["content-type"] == "text/css; charset=utf-8"
    assert sent.headers["x-content-type-options"] == "nosniff"
