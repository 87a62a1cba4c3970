"""The staff: the calculator of the tables, and the table where what it reckons is thrown."""
