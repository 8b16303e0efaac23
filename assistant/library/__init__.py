"""What we know: readers, cleaning, passages, the SQLite store and importing."""
