"""Steps from one database schema to the next, by alembic, run in process. Not imported but by `store.migrate`."""

HEAD = "0017"
