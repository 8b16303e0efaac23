"""Measuring: values with their intervals, judged queries, and how well they are answered."""
