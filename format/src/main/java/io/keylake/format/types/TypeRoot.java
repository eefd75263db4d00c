package io.keylake.format.types;

/** The kinds of data types the format has. Rule source: table format, schema files (type notation). */
public enum TypeRoot {
  BOOLEAN,
  TINYINT,
  SMALLINT,
  INT,
  BIGINT,
  FLOAT,
  DOUBLE,
  DECIMAL,
  CHAR,
  VARCHAR,
  BINARY,
  VARBINARY,
  DATE,
  TIME,
  TIMESTAMP,
  TIMESTAMP_LTZ,
  VARIANT,
  BLOB,
  ARRAY,
  MAP,
  MULTISET,
  ROW,
  VECTOR;

  /** Whether values of this kind contain other values. */
  public boolean isNested() {
    return switch (this) {
      case ARRAY, MAP, MULTISET, ROW, VECTOR -> true;
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          VARIANT,
          BLOB -> false;
    };
  }
}
