"""A slow and plain model of the memory, against which the database is judged.

It knows no SQL and shares no code with the package: lists, loops and dataclasses only.
"""
