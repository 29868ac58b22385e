from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from aitia.testing.hash_embedder import HashEmbedder
from aitia.testing.tiny_index import write_tiny_index
from aitia.web.app import create_app
from aitia.web.settings import Limits, ServerSettings

LOCAL = "http://127.0.0.1:8000"


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Path:
    """An index of two documents; not to be changed."""
    return write_tiny_index(tmp_path_factory.mktemp("web") / "tiny")


@pytest.fixture
def own(tiny, tmp_path) -> Path:
    """A copy of it that may be changed."""
    return shutil.copytree(tiny, tmp_path / "tiny")


@pytest.fixture
def serve(tiny, monkeypatch) -> Callable[..., TestClient]:
    """A client of a server over the tiny index, whose embedder is the hash embedder."""
    monkeypatch.setattr("aitia.workflows.index.open_embedder", lambda *_, **__: HashEmbedder())

    def serve(
        *, base_url: str = LOCAL, folders: dict[str, Path] | None = None, **settings: Any
    ) -> TestClient:
        chosen = ServerSettings(access_log=False, **settings)
        app = create_app(folders or {"tiny": tiny}, chosen)
        return TestClient(app, base_url=base_url, follow_redirects=False)

    return serve


@pytest.fixture(scope="session")
def plain_app(tiny):
    """A server on loopback without a token and without rates, which tests share."""
    settings = ServerSettings(access_log=False, limits=Limits(calls=(0, 1), asks=(0, 1)))
    return create_app({"tiny": tiny}, settings)


@pytest.fixture
def client(plain_app, monkeypatch) -> TestClient:
    """A browser or program that was never there before."""
    monkeypatch.setattr("aitia.workflows.index.open_embedder", lambda *_, **__: HashEmbedder())
    return TestClient(plain_app, base_url=LOCAL, follow_redirects=False)
