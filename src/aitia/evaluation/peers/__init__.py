"""Systems of others: an adapter runs each in its own environment, and what it asks of models is counted."""
