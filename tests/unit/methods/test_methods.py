from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.methods import METHODS, check_method, load


def test_methods():
    plain = ["naive", "bm25", "rrf", "hybrid", "d2q", "d2q_minus"]
    assert list(METHODS) == ["hcg", "qcg", "hug", *(f"plain:{name}" for name in plain)]
    assert [check_method(name) for name in METHODS] == list(METHODS)
    assert check_method("plain") == "plain:hybrid"


@pytest.mark.parametrize("name", ["", "HCG", "plain:", "plain:d3q", "hcg:S"])
def test_unknown_methods_are_named_with_the_known(name):
    with pytest.raises(UsageError) as caught:
        check_method(name)
    assert str(caught.value) == f"unknown method {name!r}; expected one of {', '.join(METHODS)}"


@pytest.mark.parametrize("name", METHODS)
def test_every_part_of_a_method_is_where_the_registry_says(name):
    method = METHODS[name]
    assert load(method.settings)().seed == 0
    assert [place for place in (method.build, method.retriever) if place and not callable(load(place))] == []
    assert method.retrievals
