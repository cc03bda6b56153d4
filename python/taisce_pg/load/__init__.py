"""The load format: check it, load it, write it.

>>> from taisce_pg.load.apply import load_lines
>>> from taisce_pg.load.export import export_lines
"""
