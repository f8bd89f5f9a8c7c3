"""
A chat and a book become an activation: which entries fire, in which order, and why each is in or out.
"""
