"""
Any folder of files, each read, written back and edited, and held against what is in it by other means than lorebook's.
"""
