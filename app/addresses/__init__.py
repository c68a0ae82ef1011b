"""The address of what each page shows."""
