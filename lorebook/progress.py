"""
How whoever waits for long work is told of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and of how much."""
