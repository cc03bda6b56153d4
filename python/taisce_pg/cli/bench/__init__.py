"""`taisce-pg bench` and its parts."""
