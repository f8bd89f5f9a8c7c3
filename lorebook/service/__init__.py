"""
The HTTP service: the command line's calls with the command line's JSON.
"""

from lorebook.service.app import create_app

__all__ = ["create_app"]
