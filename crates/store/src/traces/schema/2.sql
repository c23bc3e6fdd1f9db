CREATE TABLE whole ( -- a class whose tests are decided about together, and why
  test INTEGER PRIMARY KEY REFERENCES test,
  reason TEXT NOT NULL
) STRICT;
