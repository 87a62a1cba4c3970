"""The printed charts, table by table."""
