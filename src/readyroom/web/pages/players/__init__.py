"""The pages of players: profiles, passkeys and the ladder."""
