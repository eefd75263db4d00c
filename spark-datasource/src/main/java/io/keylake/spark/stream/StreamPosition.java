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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.Snapshot;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a query has read: everything before a snapshot, and of that snapshot the first pieces.
 * Its text is one line of JSON with the keys in alphabetical order:
 *
 * <pre>{@code
 * {"full":false,"index":"end","list":"manifest-list-8f..-0","plan":"","snapshot":7}
 * }</pre>
 *
 * <ol>
 *   <li>{@code full}: whether the whole version was read, not only what the snapshot changed;
 *   <li>{@code index}: number of pieces that were read, or {@code end} for all of them;
 *   <li>{@code list}: name of the snapshot's delta manifest list, by which a snapshot of the same
 *       id that another one has replaced is noticed; empty where it was not known;
 *   <li>{@code plan}: fingerprint of all pieces when only some were read, else empty;
 *   <li>"snapshot": id of the snapshot; 0 before the first one.
 * </ol>
 *
 * Pinned by {@code StreamPositionTest}.
 *
 * @param snapshotId the snapshot
 * @param index pieces of it that were read, or {@link #END}
 * @param phase what is read of it
 * @param manifestList name of its delta manifest list; empty = not known
 * @param plan fingerprint of its pieces; empty when none or all were read
 */
record StreamPosition(long snapshotId, long index, Phase phase, String manifestList, String plan) {
  /** All pieces were read. */
  static final long END = Long.MAX_VALUE;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END_TEXT = "end";
  private static final List<String> KEYS = List.of("full", "index", "list", "plan", "snapshot");

  /** What is read of a snapshot. */
  enum Phase {
    /** The whole version. */
    FULL,
    /** What it changed. */
    CHANGES
  }

  StreamPosition {
    if (snapshotId < 0 || index < 0) {
      throw new IllegalArgumentException("No position: " + snapshotId + ", " + index);
    }
  }

  /** Before the first snapshot. */
  static StreamPosition beginning() {
    return new StreamPosition(0, END, Phase.CHANGES, "", "");
  }

  /** Before the first piece of a whole version. */
  static StreamPosition before(Snapshot version) {
    return new StreamPosition(version.id(), 0, Phase.FULL, version.deltaManifestList(), "");
  }

  /** Behind a snapshot. */
  static StreamPosition after(Snapshot snapshot) {
    return new StreamPosition(snapshot.id(), END, Phase.CHANGES, snapshot.deltaManifestList(), "");
  }

  /** Behind a snapshot of which nothing but its id is known. */
  static StreamPosition after(long snapshotId) {
    return new StreamPosition(snapshotId, END, Phase.CHANGES, "", "");
  }

  /** Whether pieces of the snapshot may be left. */
  boolean isInside() {
    return index != END;
  }

  /** Whether a whole version is being read. */
  boolean isInFull() {
    return phase == Phase.FULL && isInside();
  }

  /** The snapshot that is read next. */
  long nextSnapshot() {
    return isInside() ? snapshotId : snapshotId + 1;
  }

  /** The text in checkpoints. */
  String json() {
    ObjectNode json = JSON.createObjectNode();
    json.put("full", phase == Phase.FULL);
    if (isInside()) {
      json.put("index", index);
    } else {
      json.put("index", END_TEXT);
    }
    json.put("list", manifestList);
    json.put("plan", plan);
    json.put("snapshot", snapshotId);
    return json.toString();
  }

  /**
   * The position of a text.
   *
   * @throws InvalidRequestException when it is none
   */
  static StreamPosition parse(String text) {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (IOException e) {
      throw invalid(text, e);
    }
    if (!KEYS.stream().allMatch(json::has)) {
      throw invalid(text, null);
    }
    JsonNode index = json.get("index");
    boolean isEnd = index.asText().equals(END_TEXT);
    if ((!isEnd && !index.canConvertToLong()) || !json.get("snapshot").canConvertToLong()) {
      throw invalid(text, null);
    }
    return new StreamPosition(
        json.get("snapshot").asLong(),
        isEnd ? END : index.asLong(),
        json.get("full").asBoolean() ? Phase.FULL : Phase.CHANGES,
        json.get("list").asText(),
        json.get("plan").asText());
  }

  private static InvalidRequestException invalid(String text, @Nullable Exception cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "The checkpoint holds no place in a stream of a Keylake table but '"
            + text
            + "'. It belongs to another source: use a new checkpoint location.",
        cause);
  }
}
