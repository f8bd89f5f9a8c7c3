"""
Files that have lorebooks and cards in them: pictures, archives and plain text, apart from what is inside.
"""
