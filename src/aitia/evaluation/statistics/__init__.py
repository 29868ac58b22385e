"""How systems are compared: pairs of scores by question, intervals, families, judges, slices, the frontier."""
