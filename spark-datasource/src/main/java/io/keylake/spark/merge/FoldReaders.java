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

package io.keylake.spark.merge;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.file.FilePredicates;
import io.keylake.spark.file.FileScan.Positions;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.spark.merge.runs.KeyWalk;
import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.spark.merge.runs.MergeSettings;
import io.keylake.spark.merge.runs.MergeTask;
import io.keylake.spark.merge.runs.RowScan;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.spark.merge.runs.VersionsInOrder;
import io.keylake.spark.merge.runs.VersionsInOrder.AboveLevelZero;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.split.FoldFile;
import io.keylake.table.split.FoldSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Opens fold splits.
 *
 * <ol>
 *   <li>What is read: the wanted columns, the fields of the sequence groups that decide about them,
 *       the key, and what orders the rows of a key where their runs do not.
 *   <li>Conditions on key columns alone may skip row groups and pages: all rows of a key are
 *       skipped or none that matters. Other conditions may not, since the folded row may satisfy
 *       them where no stored one does.
 *   <li>Rows that a deletion vector deletes are no longer there.
 * </ol>
 */
final class FoldReaders {
  private final ReadTask task;
  private final RowLocation location;
  private final Positions positions;
  private final AboveLevelZero aboveLevelZero;
  private @Nullable EngineRules rules;

  FoldReaders(ReadTask task) {
    TableSchema schema = task.spec().schema();
    this.task = task;
    this.location = new RowLocation(schema.partitionType());
    this.positions =
        task.spec().columns().contains(MetadataColumn.POSITION)
            ? Positions.NEEDED
            : Positions.NOT_NEEDED;
    this.aboveLevelZero =
        TableOptions.of(schema).lookupMode() ? AboveLevelZero.LOWEST_LEVEL : AboveLevelZero.ALL;
  }

  BatchReader open(FoldSplit split) {
    ReadSpec spec = task.spec();
    String bucket = folder(split.files().get(0).path());
    EngineRules engine = rules(bucket);
    List<Integer> wanted = wanted(spec);
    List<Integer> columns = KeyFolder.needed(engine, wanted.stream().filter(c -> c >= 0).toList());
    task.requireOrdered(ordering(engine), bucket);
    MergeTask merge = merge(split, columns, bucket);
    split.files().forEach(file -> task.metrics().openedFile(file.file().size()));
    return new FoldReader(
        KeyWalk.over(merge, runs(split)),
        new VersionsInOrder(merge, aboveLevelZero),
        new VersionBatch(merge.rows()),
        new KeyFolder(bucket, spec.schema(), engine, columns),
        new FoldOutput(
            spec.columns(),
            wanted.stream().mapToInt(columns::indexOf).toArray(),
            constants(split),
            task.vectors()),
        merge.batchRows(),
        task.metrics());
  }

  /** The folder of a bucket says in messages which table is read, and where. */
  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private EngineRules rules(String bucket) {
    EngineRules known = rules;
    if (known == null) {
      known = EngineRules.of(task.spec().schema(), bucket);
      rules = known;
    }
    return known;
  }

  /** Positions, in the table, of the columns of the output; -1 for those that are not folded. */
  private static List<Integer> wanted(ReadSpec spec) {
    List<Integer> wanted = new ArrayList<>();
    for (ReadColumn column : spec.columns()) {
      int position = -1;
      if (column instanceof TableColumn table
          && !spec.schema().partitionKeys().contains(table.field().name())) {
        position = spec.schema().rowType().indexOfId(table.field().id());
        if (!spec.schema().fields().get(position).type().equals(table.field().type())) {
          throw new IllegalArgumentException(
              "Column " + table.field().name() + " cannot be folded without some of its fields");
        }
      }
      wanted.add(position);
    }
    return wanted;
  }

  /** The fields of sequence groups. */
  private List<DataField> ordering(EngineRules engine) {
    if (!(engine instanceof EngineRules.PartialUpdate partial)) {
      return List.of();
    }
    List<DataField> fields = task.spec().schema().fields();
    return partial.groups().stream()
        .flatMap(group -> group.fields().stream())
        .map(fields::get)
        .toList();
  }

  private MergeTask merge(FoldSplit split, List<Integer> columns, String bucket) {
    ReadSpec spec = task.spec();
    Predicate predicate = spec.predicate();
    List<Integer> keyIds = task.keyType().fields().stream().map(DataField::id).toList();
    RowScan scan =
        new RowScan(
            columns,
            RowScan.Use.ANSWERED,
            positions,
            predicate == null ? null : FilePredicates.only(predicate, keyIds),
            spec.batchRows(),
            spec.memory());
    MergeSettings settings =
        new MergeSettings(
            bucket,
            spec.schema(),
            task.merge(),
            spec.fileSchemas(),
            spec.addedDefaults(),
            split.partition(),
            split.keys());
    long runs = split.files().stream().mapToInt(FoldFile::runRank).distinct().count();
    return new MergeTask(settings, scan, task.storage(), (int) runs, StopCheck.NEVER);
  }

  private static List<MergeRun> runs(FoldSplit split) {
    TreeMap<Integer, List<FoldFile>> byRank = new TreeMap<>();
    for (FoldFile file : split.files()) {
      byRank.computeIfAbsent(file.runRank(), rank -> new ArrayList<>()).add(file);
    }
    List<MergeRun> runs = new ArrayList<>();
    byRank.forEach(
        (rank, files) ->
            runs.add(
                new MergeRun(
                    rank,
                    Role.REWRITTEN,
                    split.comparesSequence(),
                    files.get(0).file().level(),
                    files.stream()
                        .map(f -> new CompactionInput(f.path(), f.file(), rank, f.vector()))
                        .toList())));
    return runs;
  }

  private List<@Nullable ConstantColumnVector> constants(FoldSplit split) {
    List<@Nullable ConstantColumnVector> constants = new ArrayList<>();
    ReadSpec spec = task.spec();
    for (int i = 0; i < spec.columns().size(); i++) {
      ReadColumn column = spec.columns().get(i);
      constants.add(
          column == MetadataColumn.FILE
              ? null
              : location.constant(
                  column, spec.output().fields()[i].dataType(), split, "", spec.batchRows()));
    }
    return constants;
  }
}
