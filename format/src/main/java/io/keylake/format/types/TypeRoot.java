/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.format.types;

/**
 * The kinds of data types the format has. Rule source: table format, schema files (type notation).
 */
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
          BLOB ->
          false;
    };
  }
}
