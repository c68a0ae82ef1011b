"""How Sphinx builds the reference of the public names: `make reference`."""

import aptcore

project = "aptamr"
version = aptcore.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "alabaster"
html_theme_options = {"page_width": "72em"}
autodoc_member_order = "bysource"
napoleon_use_ivar = True

# A name that leads nowhere is an error, but for those of Python's own library and of types
# that stand for others.
nitpicky = True
nitpick_ignore_regex = [("py:class", r"(collections\.abc|pathlib)\..*|ItemKey")]
