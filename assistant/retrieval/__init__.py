"""Finding: embedder, vector and keyword indexes, search and evidence."""
