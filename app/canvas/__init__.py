"""The drawing that all pages share: layout in Python, stepping in the browser."""
