"""Language-model and embedder weights: the manifest, downloads and what is installed."""
