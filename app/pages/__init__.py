"""The pages: each reads the state, asks the views, and draws."""
