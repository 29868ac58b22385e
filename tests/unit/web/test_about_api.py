"""What a server says of its indexes."""

from __future__ import annotations

import shutil


def test_an_index_that_went_away_hides_no_other(serve, tiny, own):
    client = serve(folders={"gone": own, "tiny": tiny})
    shutil.rmtree(own)
    answer = client.get("/api")
    assert answer.status_code == 200
    gone, there = answer.json()["indexes"]
    assert gone["name"] == "gone"
    assert gone["status"] == "unusable"
    assert gone["error"].startswith("gone ")
    assert str(own) not in gone["error"]
    assert (there["name"], there["status"], there["method"]) == ("tiny", "complete", "hcg")
    assert [each["id"] for each in client.get("/v1/models").json()["data"]] == ["hash:64", "gone", "tiny"]
    sent = client.post("/v1/embeddings", json={"input": "cold", "model": "hash:64"})
    assert sent.status_code == 200
    assert client.get("/api/gone/stats").status_code == 409
