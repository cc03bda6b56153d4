"""Put the memory into a database, keep it up to date, and take it out again."""
