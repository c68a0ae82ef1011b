"""The pages as one server; ``aptamr app`` runs it."""

from __future__ import annotations

from starlette.middleware import Middleware
from streamlit.starlette import App

from app.serving.failures import FailureLog

app = App("main.py", middleware=[Middleware(FailureLog)])
