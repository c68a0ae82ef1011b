"""AMR graphs: values, PENMAN text, files."""
