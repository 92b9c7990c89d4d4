"""One file a family of commands; each has `register(app)`. Heavy imports stay inside the commands."""
