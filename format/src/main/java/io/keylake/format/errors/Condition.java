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

package io.keylake.format.errors;

/**
 * The stable names of everything a user can be told, with their SQLSTATE. {@code docs/errors.md}
 * lists them; a name is never reused or renamed.
 */
public enum Condition {
  /** A table definition (columns, keys, partitioning) breaks a rule of the format. */
  KEYLAKE_INVALID_TABLE_DEFINITION("42611"),
  /** An option value cannot be parsed, is out of range or contradicts another option. */
  KEYLAKE_INVALID_OPTION("22023"),
  /** An option that the format knows but this version does not support. */
  KEYLAKE_UNSUPPORTED_OPTION("0A000"),
  /** An option that may not change once it is set or once data exists. */
  KEYLAKE_IMMUTABLE_OPTION("42000"),
  /** A change of the schema that is not allowed. */
  KEYLAKE_INVALID_SCHEMA_CHANGE("42000"),
  /** A named column does not exist in the table. */
  KEYLAKE_COLUMN_NOT_FOUND("42703"),
  /** A column of that name exists already. */
  KEYLAKE_COLUMN_ALREADY_EXISTS("42711"),
  /** A data type that the format, or this place in it, does not have. */
  KEYLAKE_UNSUPPORTED_TYPE("0A000"),
  /** The table uses a feature, or a file version, that this version cannot read or write. */
  KEYLAKE_UNSUPPORTED_FEATURE("0A000"),
  /** A file of the table is missing, damaged or contradicts what refers to it. */
  KEYLAKE_CORRUPT_FILE("XX001"),
  /** The named snapshot, tag or point in time does not exist or has expired. */
  KEYLAKE_VERSION_NOT_FOUND("42704"),
  /** The named tag, branch or consumer does not exist. */
  KEYLAKE_REFERENCE_NOT_FOUND("42704"),
  /** A tag or branch of that name exists already. */
  KEYLAKE_REFERENCE_ALREADY_EXISTS("42710"),
  /** Another commit removed or changed what this one relies on. */
  KEYLAKE_CONCURRENT_MODIFICATION("40001"),
  /** The outcome of a commit could not be learned; nothing was deleted. */
  KEYLAKE_COMMIT_OUTCOME_UNKNOWN("40003"),
  /** Nothing tells any more whether an epoch of a stream, or a numbered commit, has happened. */
  KEYLAKE_FENCE_EXPIRED("40003"),
  /** The storage offers no way to publish a file atomically. */
  KEYLAKE_UNSAFE_STORAGE("0A000"),
  /** A row violates a NOT NULL column or cannot be stored in the column's type. */
  KEYLAKE_INVALID_VALUE("23502"),
  /** A path lies outside the places the table may use. */
  KEYLAKE_FORBIDDEN_PATH("42501"),
  /** A statement, or a combination of read or write options, has no meaning here. */
  KEYLAKE_INVALID_REQUEST("42000"),
  /** A statement that is not supported on this kind of table. */
  KEYLAKE_UNSUPPORTED_OPERATION("0A000"),
  /** A row of kind -U or -D cannot be merged with the other rows of its key. */
  KEYLAKE_UNSUPPORTED_RETRACTION("0A000"),
  /** The values of the rows of a key cannot be combined: a division without a result. */
  KEYLAKE_NO_AGGREGATE("22012"),
  /** The rows of a key combine to a number that the type of the column does not hold. */
  KEYLAKE_VALUE_OUT_OF_RANGE("22003"),
  /** A statement gives two rows to one primary key. */
  KEYLAKE_DUPLICATE_KEY("23505"),
  /** An UPDATE or MERGE gives a row another primary key, which the table does not allow. */
  KEYLAKE_KEY_UPDATE("42808"),
  /** An overwrite writes rows that its own condition does not select. */
  KEYLAKE_OVERWRITE_MISMATCH("44000"),
  /** A snapshot that a stream has yet to read has expired. */
  KEYLAKE_STREAM_EXPIRED("55000"),
  /** A snapshot that a stream has read is no longer part of the table. */
  KEYLAKE_STREAM_ROLLED_BACK("55000"),
  /** The columns that a stream began with cannot be read any more. */
  KEYLAKE_STREAM_SCHEMA_CHANGED("55000"),
  /** A stream that stopped inside a snapshot cannot find its place again. */
  KEYLAKE_STREAM_PLAN_CHANGED("55000"),
  /** A stream of plain rows met a delete. */
  KEYLAKE_STREAM_DELETE("0A000");

  private final String sqlState;

  Condition(String sqlState) {
    this.sqlState = sqlState;
  }

  /** The five-character SQLSTATE of this condition. */
  public String sqlState() {
    return sqlState;
  }
}
