"""The Doolittle Raid: sixteen bombers from a carrier's deck to Japan and on to China, for one captain or a few."""
