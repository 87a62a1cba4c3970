"""Pages of campaigns: the list, a new one, the war room, and the chronicle."""
