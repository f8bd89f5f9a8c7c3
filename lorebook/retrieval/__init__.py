"""
Finding rules by question: words, vectors and their fusion.
"""
