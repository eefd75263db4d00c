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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.RowType;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.metadata.LivePartitions;
import io.keylake.spark.write.overwrite.SelectedPartitions;
import io.keylake.spark.write.stream.JobIdentity;
import io.keylake.spark.write.stream.Repetition;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchPartitionException;
import org.apache.spark.sql.catalyst.analysis.PartitionsAlreadyExistException;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * SHOW PARTITIONS, ALTER TABLE ... ADD and DROP PARTITION, TRUNCATE TABLE, and DELETE of whole
 * partitions: files go, none is read or written. What selects nothing makes no snapshot. A
 * partition exists while it has files: adding one only checks that it is new, and its first row
 * makes it.
 */
final class PartitionCommands {
  private final TableVersion version;
  private final RowType type;
  private final PartitionRows rows;

  PartitionCommands(TableVersion version) {
    this.version = version;
    this.type = version.schema().partitionType();
    this.rows = new PartitionRows(type);
  }

  /** The partitions that have these values in the named columns. */
  InternalRow[] list(String[] names, InternalRow values) {
    StructType all = SparkTypes.toSpark(type);
    int[] positions = Arrays.stream(names).mapToInt(type::indexOf).toArray();
    return SparkErrors.translating(this::existing).stream()
        .map(rows::rowToSpark)
        .filter(row -> matches(row, positions, values, all))
        .toArray(InternalRow[]::new);
  }

  private static boolean matches(
      InternalRow row, int[] positions, InternalRow values, StructType all) {
    for (int i = 0; i < positions.length; i++) {
      DataType type = all.fields()[positions[i]].dataType();
      Object wanted = values.isNullAt(i) ? null : values.get(i, type);
      Object actual = row.isNullAt(positions[i]) ? null : row.get(positions[i], type);
      if (!Objects.deepEquals(wanted, actual)) {
        return false;
      }
    }
    return true;
  }

  private Set<BinaryRow> existing() {
    return LivePartitions.of(version.metadata());
  }

  void create(InternalRow[] partitions, Map<String, String>[] properties)
      throws PartitionsAlreadyExistException {
    if (Arrays.stream(properties).anyMatch(map -> map.containsKey("location"))) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "A partition of "
              + version.name().text()
              + " cannot have a location of its own: its files lie in the table's folder. Leave"
              + " LOCATION out.");
    }
    Set<BinaryRow> existing = SparkErrors.translating(this::existing);
    for (InternalRow partition : partitions) {
      if (existing.contains(rows.toBinary(partition))) {
        throw new PartitionsAlreadyExistException(
            version.name().text(), partition, SparkTypes.toSpark(type));
      }
    }
  }

  /** Refuses: the values of a partition are in every row of its files. */
  void rename(InternalRow from, InternalRow to)
      throws NoSuchPartitionException, PartitionsAlreadyExistException {
    Set<BinaryRow> existing = SparkErrors.translating(this::existing);
    if (!existing.contains(rows.toBinary(from))) {
      throw new NoSuchPartitionException(version.name().text(), from, SparkTypes.toSpark(type));
    }
    if (existing.contains(rows.toBinary(to))) {
      throw new PartitionsAlreadyExistException(
          version.name().text(), to, SparkTypes.toSpark(type));
    }
    throw SparkErrors.failure(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        "Cannot rename a partition of "
            + version.name().text()
            + ": its values are in every row of its files. Set the partition columns with UPDATE"
            + " instead.");
  }

  boolean drop(InternalRow[] partitions) {
    List<BinaryRow> selected = new ArrayList<>();
    for (InternalRow partition : partitions) {
      selected.add(rows.toBinary(partition));
    }
    commit("TRUNCATE", OverwriteScope.partitions(selected));
    return true;
  }

  /** Whether the conditions select whole partitions, so that their files just go. */
  boolean canDelete(Predicate[] conditions) {
    return SelectedPartitions.of(version.schema(), conditions).isPresent();
  }

  void delete(Predicate[] conditions) {
    commit(
        "DELETE",
        SelectedPartitions.of(version.schema(), conditions)
            .orElseThrow(() -> new IllegalArgumentException("Not asked whether it can")));
  }

  boolean truncateTable() {
    commit("TRUNCATE", new OverwriteScope.WholeTable());
    return true;
  }

  private void commit(String operation, OverwriteScope scope) {
    SparkErrors.translate(
        () -> {
          TableOptions options =
              TableOptions.of(
                  version.schema(),
                  SessionOptions.overrides(version.name(), CaseInsensitiveStringMap.empty()));
          JobIdentity identity = JobIdentity.of(options, version.name().text());
          if (!Repetition.isOf(identity, version.storage(), options)) {
            version
                .committer()
                .commit(
                    identity
                        .request(List.of())
                        .overwriting(scope)
                        .withProperties(Map.of(Snapshot.OPERATION, operation)));
          }
        });
  }
}
