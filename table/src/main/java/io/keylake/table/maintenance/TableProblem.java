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

package io.keylake.table.maintenance;

/**
 * Something that is wrong with a table.
 *
 * @param kind which promise of the format is broken
 * @param place the snapshot, bucket or file
 * @param detail what was expected and what is there
 */
public record TableProblem(Kind kind, String place, String detail) {
  /** The promises of the format that {@link TableCheck} looks at. */
  public enum Kind {
    /** A schema that is referred to does not exist. */
    SCHEMA_MISSING,
    /** A manifest list, manifest or index manifest is missing, of another size, or damaged. */
    METADATA_UNREADABLE,
    /** A manifest list's record differs from what the manifest holds. */
    MANIFEST_RECORD,
    /** A snapshot's record counts differ from those of its files. */
    RECORD_COUNT,
    /** A data file is added that is part of the table already. */
    FILE_ADDED_TWICE,
    /** A data file is removed that is not part of the table. */
    FILE_REMOVED_TWICE,
    /** A data, side or index file does not exist. */
    FILE_MISSING,
    /** A data or index file has another size than its metadata says. */
    FILE_SIZE,
    /** The level of a file does not exist, or not in its bucket. */
    LEVEL_RANGE,
    /** Files of one level above 0 overlap. */
    LEVEL_OVERLAP,
    /** Files of a partition disagree on its number of buckets, or a bucket is none of them. */
    BUCKET_COUNT,
    /** A bucket has two index files of a type of which it should have one. */
    INDEX_TWICE,
    /** An index file is damaged or disagrees with its metadata. */
    INDEX_RECORD,
    /** A deletion vector belongs to no live data file. */
    VECTOR_WITHOUT_FILE,
    /** A data file has two deletion vectors. */
    VECTOR_TWICE,
    /** A deletion vector marks a row that its data file does not have. */
    VECTOR_RANGE,
    /** A deletion vector marks more or fewer rows than its metadata says. */
    VECTOR_COUNT,
    /** A hash index holds a hash twice. */
    HASH_TWICE,
    /** A hash is in two buckets of a partition. */
    HASH_IN_TWO_BUCKETS,
    /** The key of a row is not in the hash index of its bucket. */
    HASH_MISSING,
    /** A data file cannot be read. */
    FILE_UNREADABLE,
    /** A file holds more or fewer rows than its metadata says. */
    ROW_COUNT,
    /** The rows of a file are not in the order of their keys, or a key occurs twice. */
    KEY_ORDER,
    /** The first or last key of a file is another than its metadata says. */
    KEY_BOUNDS,
    /** The sequence numbers of a file have other bounds than its metadata says. */
    SEQUENCE_BOUNDS,
    /** A file holds more or fewer retracting rows than its metadata says. */
    DELETE_COUNT,
    /** Statistics of a file are not those of its rows. */
    STATISTICS,
    /** Rows lie in the folder of another partition. */
    WRONG_PARTITION,
    /** Rows lie in another bucket than the one of their key. */
    WRONG_BUCKET,
    /** A key that may be in one partition only is in two places. */
    KEY_IN_TWO_PLACES,
    /** A newer run holds an older version of a key than an older run. */
    VERSION_ORDER,
    /** With deletion vectors: a key has two versions above level 0 that are not deleted. */
    TWO_LIVE_VERSIONS,
    /** With deletion vectors: a file above level 0 holds retracting rows. */
    RETRACT_ABOVE_LEVEL_ZERO
  }

  @Override
  public String toString() {
    return kind + " " + place + ": " + detail;
  }
}
