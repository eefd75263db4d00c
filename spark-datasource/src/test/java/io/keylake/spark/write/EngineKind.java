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

package io.keylake.spark.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a random table must be like; all else is random.
 *
 * @param hasVectors whether it has deletion vectors
 */
record EngineKind(Engine engine, Buckets buckets, boolean hasVectors) {
  /** Its merge engine, with fields that order rows or without. */
  enum Engine {
    DEDUPLICATE,
    DEDUPLICATE_BY_SEQUENCE,
    FIRST_ROW,
    PARTIAL_UPDATE,
    PARTIAL_UPDATE_BY_SEQUENCE,
    AGGREGATION,
    AGGREGATION_BY_SEQUENCE;

    private static final String BY_SEQUENCE = "-by-sequence";

    /** As {@code merge-engine} names it. */
    String option() {
      return text().replace(BY_SEQUENCE, "");
    }

    /** Whether {@code sequence.field} is set. */
    boolean isBySequence() {
      return text().endsWith(BY_SEQUENCE);
    }

    private String text() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** How keys find their buckets. */
  enum Buckets {
    /** So many buckets, by the format's own hash. */
    FIXED,
    /** By the rest of a division. */
    MOD,
    /** By the hash of Hive. */
    HIVE,
    DYNAMIC,
    /** A key is found once, whatever its partition. */
    CROSS_PARTITION,
    /** The reference stages rows, which compaction puts into buckets. */
    POSTPONE
  }

  /** Everything that the format allows. */
  static final List<EngineKind> ALL = all();

  private static List<EngineKind> all() {
    List<EngineKind> kinds = new ArrayList<>();
    for (Buckets buckets : Buckets.values()) {
      for (Engine engine : Engine.values()) {
        if (buckets != Buckets.CROSS_PARTITION || !engine.isBySequence()) {
          kinds.add(new EngineKind(engine, buckets, false));
          if (engine != Engine.FIRST_ROW) {
            kinds.add(new EngineKind(engine, buckets, true));
          }
        }
      }
    }
    return List.copyOf(kinds);
  }

  /** So many tables in a row, numbered by their seeds, are one of each kind. */
  static EngineKind of(long seed) {
    return ALL.get((int) Math.floorMod(seed, (long) ALL.size()));
  }

  /** A kind that goes with a changelog producer, with fixed or dynamic buckets. */
  static EngineKind random(Random random, String producer) {
    List<EngineKind> kinds =
        ALL.stream().filter(kind -> isPlain(kind.buckets()) && kind.goesWith(producer)).toList();
    return kinds.get(random.nextInt(kinds.size()));
  }

  private static boolean isPlain(Buckets buckets) {
    return buckets == Buckets.FIXED || buckets == Buckets.DYNAMIC;
  }

  private boolean goesWith(String producer) {
    return switch (producer) {
      case "input" -> engine != Engine.FIRST_ROW;
      case "full-compaction" -> engine != Engine.FIRST_ROW && !hasVectors;
      default -> true;
    };
  }

  boolean isPostponed() {
    return buckets == Buckets.POSTPONE;
  }

  boolean isCrossPartition() {
    return buckets == Buckets.CROSS_PARTITION;
  }
}
