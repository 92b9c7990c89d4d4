"""FuriosaAI RNGD through `cargo furiosa-opt` and the Arena queue: an external target, with parsers of its formats.

Read first: `rngd.toml`, then `schedule_json.py` and `grader.py`. Formats as of furiosa-opt 0.6.0 and 0.8.1.
"""
