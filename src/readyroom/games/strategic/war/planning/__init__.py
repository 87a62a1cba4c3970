"""Planning a turn: building, redeployment, and orders for later."""
