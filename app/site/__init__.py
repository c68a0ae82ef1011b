"""A folder of pages that step without a server: ``aptamr site``."""
