"""How two or more workers share a run: whole files, and one worker begins with the pages."""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadScopeScheduling


class FilesShared(LoadScopeScheduling):
    """A file is played by one worker, so that a scene of its own is set once.

    A page keeps a browser and a server busy beside its test: the first worker takes the pages while the others take
    the rest; whoever is done goes on with what is left.
    """

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # the order of the collection: what takes long comes first

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.split("::", 1)[0]

    def _assign_work_unit(self, node: Any) -> None:
        begins_with_pages = node is self.nodes[0]
        of_its_kind = (file for file in self.workqueue if file.startswith("tests/browser/") == begins_with_pages)
        self.workqueue.move_to_end(next(of_its_kind, next(iter(self.workqueue))), last=False)
        super()._assign_work_unit(node)
