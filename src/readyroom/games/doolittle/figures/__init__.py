"""The figures of The Doolittle Raid: a typed struct for each file of the data folder."""
