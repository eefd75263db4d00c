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

package io.keylake.procedures.report;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.metadata.MetadataText;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.SortedRun;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.IndexedVector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as it is drawn: its sorted runs, newest first, each file over the range of its keys.
 * What keys there are is not known, so all keys at which a file begins or ends are put at equal
 * distances. The files of an append table lie side by side, as long as they are large.
 *
 * @param size the bucket
 * @param rows the runs
 * @param hiddenRuns how many runs are left out
 * @param overlap how many runs hold the keys of a place
 * @param range the smallest and the largest key; null for an append table
 */
record BucketPicture(
    BucketSize size, List<Row> rows, int hiddenRuns, List<Depth> overlap, @Nullable String range) {
  private static final int NEWEST_RUNS = 9;
  private static final int OLDEST_RUNS = 5;
  private static final int BOXES = 120;
  private static final int KEY_TEXT = 60;

  BucketPicture {
    rows = List.copyOf(rows);
    overlap = List.copyOf(overlap);
  }

  /** A run of a level. */
  record Row(int level, List<Box> boxes) {
    Row {
      boxes = List.copyOf(boxes);
    }
  }

  /**
   * A file, or neighbours.
   *
   * @param from where it begins, 0 = at the left, 1 = at the right
   * @param to where it ends
   * @param sum the files
   * @param text what else there is to say
   */
  record Box(double from, double to, Sum sum, String text) {}

  /** A part of the keys, from 0 to 1, and how many runs hold it. */
  record Depth(double from, double to, int runs) {}

  /** The picture of a bucket. */
  static BucketPicture of(BucketFiles bucket, BucketSize size, TableSchema schema) {
    return schema.hasPrimaryKey()
        ? keyed(bucket, size, schema)
        : new BucketPicture(size, List.of(sideBySide(bucket)), 0, List.of(), null);
  }

  private static BucketPicture keyed(BucketFiles bucket, BucketSize size, TableSchema schema) {
    KeyComparator keys = KeyComparator.of(schema.keyType());
    List<SortedRun> runs = Levels.of(bucket.files(), keys).runs();
    KeyPlaces places = KeyPlaces.of(bucket.files(), keys);
    Function<BinaryRow, String> text = key -> shortened(MetadataText.key(key, schema.keyType()));
    List<Row> rows = new ArrayList<>();
    for (SortedRun run : shown(runs)) {
      List<Box> boxes = new ArrayList<>();
      for (List<DataFile> files : groups(run.files())) {
        DataFile first = files.get(0);
        DataFile last = files.get(files.size() - 1);
        double from = (double) places.of(first.minKey()) / places.count();
        double to = (double) (places.of(last.maxKey()) + 1) / places.count();
        String range = text.apply(first.minKey()) + " to " + text.apply(last.maxKey());
        boxes.add(new Box(from, to, sum(files, bucket), names(files) + "\nkeys " + range));
      }
      rows.add(new Row(run.level(), boxes));
    }
    String range =
        places.count() == 0
            ? ""
            : text.apply(places.ends().get(0))
                + " … "
                + text.apply(places.ends().get(places.count() - 1));
    return new BucketPicture(size, rows, runs.size() - rows.size(), overlap(runs, places), range);
  }

  private static List<SortedRun> shown(List<SortedRun> runs) {
    if (runs.size() <= NEWEST_RUNS + OLDEST_RUNS) {
      return runs;
    }
    List<SortedRun> shown = new ArrayList<>(runs.subList(0, NEWEST_RUNS));
    shown.addAll(runs.subList(runs.size() - OLDEST_RUNS, runs.size()));
    return shown;
  }

  private static List<Depth> overlap(List<SortedRun> runs, KeyPlaces places) {
    int[] changes = new int[places.count() + 1];
    for (SortedRun run : runs) {
      for (DataFile file : run.files()) {
        changes[places.of(file.minKey())]++;
        changes[places.of(file.maxKey()) + 1]--;
      }
    }
    List<Depth> depths = new ArrayList<>();
    double width = places.count();
    int begin = 0;
    int depth = changes[0];
    for (int i = 1; i <= places.count(); i++) {
      if (changes[i] != 0 || i == places.count()) {
        depths.add(new Depth(begin / width, i / width, depth));
        begin = i;
        depth += changes[i];
      }
    }
    return depths;
  }

  private static Row sideBySide(BucketFiles bucket) {
    double total = Math.max(1, bucket.files().stream().mapToDouble(DataFile::size).sum());
    List<Box> boxes = new ArrayList<>();
    double from = 0;
    for (List<DataFile> files : groups(bucket.files())) {
      Sum sum = sum(files, bucket);
      double to = from + sum.bytes() / total;
      boxes.add(new Box(from, to, sum, names(files)));
      from = to;
    }
    return new Row(0, boxes);
  }

  /** Neighbours together, where there are too many to be drawn. */
  private static List<List<DataFile>> groups(List<DataFile> files) {
    int size = (files.size() + BOXES - 1) / BOXES;
    List<List<DataFile>> groups = new ArrayList<>();
    for (int i = 0; i < files.size(); i += size) {
      groups.add(files.subList(i, Math.min(files.size(), i + size)));
    }
    return groups;
  }

  private static Sum sum(List<DataFile> files, BucketFiles bucket) {
    return files.stream()
        .map(file -> Sum.of(file, deletedByVector(bucket, file)))
        .reduce(Sum.NONE, Sum::plus);
  }

  /** Rows that a vector marks; a vector that does not tell counts as none. */
  static long deletedByVector(BucketFiles bucket, DataFile file) {
    IndexedVector vector = bucket.vectors().get(file.name());
    Long marked = vector == null ? null : vector.ref().cardinality();
    return marked == null ? 0 : marked;
  }

  private static String names(List<DataFile> files) {
    return files.size() == 1
        ? files.get(0).name()
        : files.size() + " files from " + files.get(0).name();
  }

  private static String shortened(String text) {
    return text.length() <= KEY_TEXT ? text : text.substring(0, KEY_TEXT) + "…";
  }
}
