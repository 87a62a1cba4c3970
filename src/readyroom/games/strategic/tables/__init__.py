"""What both games share: the charts with their exact odds, the modifiers, and the calculator."""
