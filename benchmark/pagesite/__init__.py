"""What the results pages need beside the templates: texts, charts, hostile text made harmless, and their view."""
