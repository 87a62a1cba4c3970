"""[2] Tora! Tora! Tora!: the attack on Pearl Harbor, planned and fought. Rules by Pete Pellegrino."""
