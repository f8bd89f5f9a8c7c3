"""
A workspace opened: what the command line and the service call.
"""

from lorebook.workspace.opened import Workspace

__all__ = ["Workspace"]
