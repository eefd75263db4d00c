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

package io.keylake.spark.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.OptionalLong;

/** What a stream of one table says when it cannot go on. */
final class StreamErrors {
  private final String table;

  /** Of a table of this name. */
  StreamErrors(String table) {
    this.table = table;
  }

  InvalidRequestException expired(long snapshotId, OptionalLong oldest) {
    String kept =
        oldest.isPresent()
            ? "the oldest snapshot whose changes are kept is " + oldest.getAsLong()
            : "the table has no snapshots any more";
    return new InvalidRequestException(
        Condition.KEYLAKE_STREAM_EXPIRED,
        "The stream of "
            + table
            + " goes on with snapshot "
            + snapshotId
            + ", which has expired: "
            + kept
            + ". Its changes are lost to this query. Start it again with a new checkpoint, which"
            + " reads the whole table first; or go on with what is kept by 'scan.on-expired' ="
            + " 'earliest' or 'latest'. 'consumer-id' keeps snapshots until they are read.");
  }

  InvalidRequestException rolledBack(StreamPosition position, OptionalLong newest) {
    return new InvalidRequestException(
        Condition.KEYLAKE_STREAM_ROLLED_BACK,
        "The stream of "
            + table
            + " has read snapshot "
            + position.snapshotId()
            + ", which the table no longer has: it was rolled back or replaced"
            + (newest.isPresent() ? ", its newest snapshot is " + newest.getAsLong() : "")
            + ". What was read and then taken back stays in the query's results. Correct these,"
            + " and start the query again with a new checkpoint and 'scan.mode' = 'from-snapshot',"
            + " or 'latest-full' to read the whole table.");
  }

  InvalidRequestException schemaChanged(String what) {
    return new InvalidRequestException(
        Condition.KEYLAKE_STREAM_SCHEMA_CHANGED,
        "The columns of "
            + table
            + " have changed since its stream began: "
            + what
            + ". Start the query again with the same checkpoint: it goes on with the new columns.");
  }

  InvalidRequestException planChanged(StreamPosition position) {
    return new InvalidRequestException(
        Condition.KEYLAKE_STREAM_PLAN_CHANGED,
        "The stream of "
            + table
            + " stopped in the middle of snapshot "
            + position.snapshotId()
            + " and cannot go on there: the query now has other options, such as 'read.filter' or"
            + " 'source.split.target-size', so that the snapshot is cut into other pieces. Give it"
            + " its former options until it has read that snapshot, or a new checkpoint.");
  }

  InvalidRequestException noVersion(String version, OptionalLong oldest, OptionalLong newest) {
    String kept =
        oldest.isPresent() && newest.isPresent()
            ? "Versions " + oldest.getAsLong() + " to " + newest.getAsLong() + " exist."
            : "The table has no snapshots.";
    return new InvalidRequestException(
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "A stream of "
            + table
            + " cannot start at version "
            + version
            + ", which does not exist or has expired. "
            + kept);
  }

  InvalidRequestException invalidStart(String problem) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "The stream of " + table + " cannot tell where to start: " + problem);
  }
}
