"""Communities: groups of entities that belong together, and which reports about them are due."""
