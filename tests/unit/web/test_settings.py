"""Where a server may listen without a token, and what a token must be."""

from __future__ import annotations

import pytest

from aitia.errors import UsageError
from aitia.web.settings import ServerSettings, check_access

GOOD = "a-token-of-many-characters"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "::1", "127.9.9.9"])
def test_loopback_needs_no_token(host):
    check_access(ServerSettings(host))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org", "localhost.example.org", ""])
def test_any_other_host_demands_one(host):
    with pytest.raises(UsageError, match=r"no token is set; expected AITIA_TOKEN"):
        check_access(ServerSettings(host))
    check_access(ServerSettings(host, token=GOOD))


@pytest.mark.parametrize(
    "token", ["short", "x" * 15, "with a space in its middle", "ümlaut-ümlaut-ümlaut", "line\nline-line-line"]
)
def test_a_token_that_cannot_be(token):
    with pytest.raises(UsageError) as refused:
        check_access(ServerSettings(token=token))
    assert str(refused.value).startswith(f"the token has {len(token)} characters; expected at least 16")
    assert token not in str(refused.value)


def test_a_token_is_not_printed():
    assert GOOD not in repr(ServerSettings(token=GOOD, writer={"api_key": "sk-secret"}))
    assert "sk-secret" not in repr(ServerSettings(token=GOOD, writer={"api_key": "sk-secret"}))
