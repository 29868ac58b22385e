"""Systems of others in a benchmark: built and asked through `aitia.evaluation.peers.peer`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from aitia.clients.embedders import open_embedder
from aitia.clients.llm_settings import LLMSettings
from aitia.errors import AitiaError
from aitia.evaluation.bench.builds import said
from aitia.evaluation.bench.folder import BenchFolder
from aitia.evaluation.peers.adapters import find_adapter
from aitia.evaluation.peers.endpoint import ChatEndpoint
from aitia.evaluation.peers.peer import Peer, open_peer
from aitia.evaluation.records import BuildRecord, append_record
from aitia.evaluation.systems import System
from aitia.workflows.analysts import ModelOptions, embedder_options


@dataclass(frozen=True)
class Peers:
    """Where the adapters are, and which chat model and embedder every peer is given."""

    adapters: Path
    chat: LLMSettings
    embedder: str
    options: ModelOptions

    def open(self, system: System, folder: BenchFolder) -> Peer:
        """The peer of a system, for a ``with`` block.

        Raises:
            AitiaError: there is no such peer, or its environment is not made.

        """
        chat = ChatEndpoint(
            model=self.chat.model,
            base_url=self.chat.base_url,
            api_key=self.options.get("api_key"),
            api_version=self.chat.api_version,
            timeout_s=self.chat.timeout_s,
        )
        embedder = open_embedder(self.embedder, **embedder_options(self.options))
        return open_peer(system.name, self.adapters, chat, embedder, folder.peer_log)

    def place(self, system: System, folder: BenchFolder) -> Path:
        """The folder of its index, which the modes of a peer may share."""
        return folder.index(find_adapter(system.name, self.adapters).build)

    def make_index(
        self, system: System, folder: BenchFolder, corpus: Path, done: Mapping[str, BuildRecord]
    ) -> BuildRecord:
        """Let a peer build, unless another mode of it has; the record is written, with its error if it failed."""
        try:
            place = self.place(system, folder)
            shared = [
                record
                for name, record in done.items()
                if name.startswith("peer:") and find_adapter(name, self.adapters).build == place.name
            ]
            if shared:
                record = shared[0]
            else:
                with self.open(system, folder) as peer:
                    record = peer.build(corpus, place)
        except AitiaError as error:
            record = BuildRecord(system.build, error=said(error))
        record = replace(record, system=system.build)
        append_record(folder.builds, record)
        return record
