"""
The pictures of our own covers, one module each.
"""
