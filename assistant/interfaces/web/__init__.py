"""The chat page. Gradio is imported by the modules in here, and by nothing else."""
