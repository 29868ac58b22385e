-- An Aitia index. Text stands in rows a person can query; what retrieval walks stands in `arrays`.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL,
  text TEXT NOT NULL, sections TEXT NOT NULL
);
CREATE TABLE skipped (path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE chunks (
  position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document INTEGER NOT NULL REFERENCES documents,
  ordinal INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, page INTEGER,
  heading_path TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE dimensions (position INTEGER PRIMARY KEY, value TEXT NOT NULL);
-- One row, unless the method has no graph; it may have one without anything in it.
CREATE TABLE graph (metrics INTEGER NOT NULL, variables INTEGER NOT NULL, edges INTEGER NOT NULL);
CREATE TABLE metrics (position INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE variables (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, metric TEXT NOT NULL, entities TEXT NOT NULL
);
CREATE TABLE templates (
  position INTEGER PRIMARY KEY, source TEXT NOT NULL, target TEXT NOT NULL, mechanism TEXT NOT NULL,
  confidence REAL NOT NULL
);
CREATE TABLE edges (
  position INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES variables,
  target INTEGER NOT NULL REFERENCES variables, mechanism TEXT NOT NULL, confidence REAL NOT NULL,
  polarity TEXT NOT NULL
);
CREATE TABLE evidence (
  edge INTEGER NOT NULL REFERENCES edges, chunk INTEGER NOT NULL REFERENCES chunks,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, quote TEXT NOT NULL, found_by TEXT NOT NULL
);
CREATE INDEX evidence_edge ON evidence (edge);
CREATE TABLE rejected (position INTEGER PRIMARY KEY, kind TEXT NOT NULL, value TEXT NOT NULL);
-- What a judge that costs money said of the pairs of variables it was asked about.
CREATE TABLE verdicts (
  source TEXT NOT NULL, target TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (source, target)
) WITHOUT ROWID;
-- What a method other than hcg keeps for a person: query nodes; entities, links, modules, gates, merges.
CREATE TABLE records (
  kind TEXT NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, position)
) WITHOUT ROWID;
CREATE TABLE arrays (
  name TEXT NOT NULL, part INTEGER NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (name, part)
);
-- What the machine made, before any decision of a person. One row if the index has a graph; where it says 0
-- the graph in force is the machine's, and the other tables of the machine are empty.
CREATE TABLE machine (differs INTEGER NOT NULL);
CREATE TABLE machine_dimensions (position INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machine_metrics (position INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machine_variables (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, metric TEXT NOT NULL, entities TEXT NOT NULL
);
CREATE TABLE machine_templates (
  position INTEGER PRIMARY KEY, source TEXT NOT NULL, target TEXT NOT NULL, mechanism TEXT NOT NULL,
  confidence REAL NOT NULL
);
CREATE TABLE machine_edges (
  position INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES machine_variables,
  target INTEGER NOT NULL REFERENCES machine_variables, mechanism TEXT NOT NULL, confidence REAL NOT NULL,
  polarity TEXT NOT NULL
);
CREATE TABLE machine_evidence (
  edge INTEGER NOT NULL REFERENCES machine_edges, chunk INTEGER NOT NULL REFERENCES chunks,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, quote TEXT NOT NULL, found_by TEXT NOT NULL
);
-- Its seed relations, and the sentences that name its variables (by their row among the machine's).
CREATE TABLE machine_relations (position INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sentences (position INTEGER PRIMARY KEY, chunk TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE mentions (variable INTEGER NOT NULL, sentence INTEGER NOT NULL REFERENCES sentences);
