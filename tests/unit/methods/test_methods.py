from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.methods import METHODS, check_method


def test_methods():
    assert METHODS == ("hcg", "plain:naive", "plain:bm25", "plain:rrf", "plain:hybrid")
    assert [check_method(name) for name in METHODS] == list(METHODS)
    assert check_method("plain") == "plain:hybrid"


@pytest.mark.parametrize("name", ["", "HCG", "plain:", "plain:d3q", "hcg:S"])
def test_unknown_methods_are_named_with_the_known(name):
    with pytest.raises(UsageError) as caught:
        check_method(name)
    assert str(caught.value) == f"unknown method {name!r}; expected one of {', '.join(METHODS)}"
