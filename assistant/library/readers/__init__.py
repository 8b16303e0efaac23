"""Readers: bytes of one family of formats become records and rejections."""
