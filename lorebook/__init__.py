"""
Rulings of card games as structured records, and the right ones in an LLM's prompt.
"""

__version__ = "0.1.0"
