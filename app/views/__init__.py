"""View models of the pages: plain Python, no Streamlit."""
