CREATE TABLE left_field ( -- a static field in which a test was seen to leave something
  module TEXT NOT NULL,
  field TEXT NOT NULL, -- a/B.name
  PRIMARY KEY (module, field)
) STRICT, WITHOUT ROWID;
