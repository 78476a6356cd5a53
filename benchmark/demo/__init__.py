"""The embedded target: six small sites and an assistant that answers from their pages, over HTTP.

``sites`` loads and renders the pages, ``index`` holds their passages as vectors, ``assistant``
answers from them, ``server`` serves both (``python -m benchmark demo``), ``process`` runs that
server beside a benchmark run. It knows the pages and nothing else of the project: never the
questions, which it must not have seen."""


class DemoError(Exception):
    """The demo cannot be served; the message says why and what to do next."""
