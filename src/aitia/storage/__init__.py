"""Where an index lives; never embeds, never scores."""
