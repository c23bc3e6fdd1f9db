CREATE TABLE run ( -- an invocation of the build
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  began INTEGER NOT NULL, -- all times are milliseconds since 1970
  place TEXT NOT NULL -- a name for the machine or the job, never a path
) STRICT;

CREATE TABLE test (
  number INTEGER PRIMARY KEY,
  module TEXT NOT NULL,
  class TEXT NOT NULL,
  method TEXT NOT NULL, -- empty for the class as a whole
  last TEXT, -- its last outcome
  flaky INTEGER NOT NULL DEFAULT 0, -- same facts, different verdicts
  always TEXT, -- why it always runs
  UNIQUE (module, class, method)
) STRICT;

CREATE TABLE running ( -- started and not finished: running now, or crashed
  test INTEGER NOT NULL REFERENCES test,
  run INTEGER NOT NULL REFERENCES run,
  since INTEGER NOT NULL,
  PRIMARY KEY (test, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict ( -- the last twenty of each test
  test INTEGER NOT NULL REFERENCES test,
  number INTEGER NOT NULL, -- ascending within a test
  run INTEGER NOT NULL REFERENCES run,
  outcome TEXT NOT NULL,
  ended INTEGER NOT NULL,
  microseconds INTEGER NOT NULL,
  facts BLOB, -- the digest of what it relied on, if known
  PRIMARY KEY (test, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE about ( -- words for fact.about
  number INTEGER PRIMARY KEY,
  word TEXT NOT NULL
) STRICT;

CREATE TABLE fact (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never given to another fact
  about INTEGER NOT NULL REFERENCES about,
  answer BLOB, -- a digest, or null: there is no such thing
  checksum INTEGER NOT NULL, -- of the other columns
  entity TEXT NOT NULL
) STRICT;

CREATE INDEX fact_checksum ON fact (checksum);

CREATE TABLE fact_set (
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE, -- of the facts themselves, whatever their numbers
  canonical INTEGER NOT NULL, -- the version of the canonical forms that the answers are digests of
  checksum INTEGER NOT NULL, -- of the digest and the next column
  facts BLOB NOT NULL -- numbers of facts, ascending; docs/store.md says how
) STRICT;

CREATE TABLE trace ( -- a test passed while these facts held
  test INTEGER NOT NULL REFERENCES test,
  technique TEXT NOT NULL,
  fact_set INTEGER NOT NULL REFERENCES fact_set,
  run INTEGER NOT NULL REFERENCES run,
  recorded INTEGER NOT NULL,
  matched INTEGER NOT NULL, -- when it last held, to the hour
  microseconds INTEGER NOT NULL, -- how long the test took
  checksum INTEGER NOT NULL, -- of the names of test and technique, and the digest of the set
  PRIMARY KEY (test, technique, fact_set)
) STRICT, WITHOUT ROWID;

CREATE INDEX trace_fact_set ON trace (fact_set);

CREATE VIEW tests AS
SELECT module, class, nullif(method, '') AS method, last, flaky,
  EXISTS (SELECT 1 FROM running WHERE running.test = test.number) AS running, always,
  (SELECT count(*) FROM trace WHERE trace.test = test.number) AS traces
FROM test;

CREATE VIEW traces AS
SELECT module, class, nullif(method, '') AS method, technique, lower(hex(digest)) AS digest,
  datetime(recorded / 1000, 'unixepoch') AS recorded, datetime(matched / 1000, 'unixepoch') AS matched,
  microseconds / 1e6 AS seconds, run.id AS run, place, fact_set
FROM trace
  JOIN test ON test.number = trace.test
  JOIN fact_set ON fact_set.number = trace.fact_set
  LEFT JOIN run ON run.number = trace.run;

CREATE VIEW verdicts AS
SELECT module, class, nullif(method, '') AS method, outcome,
  datetime(ended / 1000, 'unixepoch') AS ended, microseconds / 1e6 AS seconds, nullif(lower(hex(facts)), '') AS facts,
  run.id AS run, place
FROM verdict
  JOIN test ON test.number = verdict.test
  LEFT JOIN run ON run.number = verdict.run
ORDER BY verdict.test, verdict.number;

CREATE VIEW facts AS
SELECT fact.number, coalesce(word, fact.about) AS about, entity, nullif(lower(hex(answer)), '') AS answer
FROM fact LEFT JOIN about ON about.number = fact.about;
