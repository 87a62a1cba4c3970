"""Work that takes long: analyses, match reviews and studies."""
