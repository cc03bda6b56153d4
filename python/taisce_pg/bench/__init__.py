"""Measuring: generated memories, two yardsticks, and what is measured against them."""
