"""
Tables that say what is right, row by row, for readers who do not program.
"""
