"""
A workspace opened: what the command line and the service call.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook.workspace.opened import Workspace

__all__ = ["Workspace"]


def __getattr__(name: str) -> object:
    # A shell that completes a name asks only where the workspace is, and waits for the answer at every key.
    if name == "Workspace":
        from lorebook.workspace.opened import Workspace  # noqa: PLC0415

        return Workspace
    raise AttributeError(name)
