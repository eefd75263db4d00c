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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeRows;
import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.stream.StreamTasks.Placement;
import io.keylake.spark.stream.task.StreamTask;
import io.keylake.table.scan.PartitionOrder;
import io.keylake.table.split.SplitSize;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StreamTasksTest {
  private static final RowType PARTITION = RowType.of(List.of(DataField.of(0, "p", DataTypes.INT)));

  /** Ten bytes of changes. */
  private record Changes(CommitMark mark, BinaryRow partition, int bucket) implements ChangeSplit {
    @Override
    public Stream<DataFile> dataFiles() {
      return Stream.empty();
    }

    @Override
    public long size() {
      return 10;
    }

    @Override
    public long rowCount() {
      return 1;
    }

    @Override
    public ChangeRows open(ChangeTask task) {
      throw new UnsupportedOperationException();
    }
  }

  private static WorkPiece.OfCommit piece(long version, int partition, int bucket, int total) {
    BinaryRow values = BinaryRowCodec.of(PARTITION).encode(List.of(partition));
    return new WorkPiece.OfCommit(
        new Changes(new CommitMark(version, version), values, bucket), total);
  }

  /** Version and bucket of each split, task by task. */
  private static List<List<String>> tasks(
      long targetBytes, Placement placement, WorkPiece.OfCommit... pieces) {
    return new StreamTasks(new SplitSize(targetBytes, 0), new PartitionOrder(PARTITION), placement)
        .ofCommits(List.of(pieces)).stream()
            .map(
                task ->
                    ((StreamTask.OfCommits) task)
                        .splits().stream()
                            .map(split -> split.mark().version() + ":" + split.bucket())
                            .toList())
            .toList();
  }

  @Test
  void changesOfABucketStayInOneTaskInTheOrderOfCommits() {
    assertThat(
            tasks(
                10,
                Placement.BUCKETS_IN_ORDER,
                piece(1, 1, 0, 2),
                piece(1, 1, 1, 2),
                piece(2, 1, 0, 2),
                piece(3, 1, 1, 2),
                piece(3, 1, 0, 2)))
        .containsExactly(List.of("1:0", "2:0", "3:0"), List.of("1:1", "3:1"));
  }

  @Test
  void smallBucketsShareATaskInTheOrderOfPartitions() {
    assertThat(
            tasks(
                25,
                Placement.BUCKETS_IN_ORDER,
                piece(1, 3, 7, 8),
                piece(1, 2, 5, 8),
                piece(1, 1, 4, 8)))
        .containsExactly(List.of("1:4", "1:5"), List.of("1:7"));
  }

  @Test
  void aPartitionThatGotOtherBucketsIsReadByOneTask() {
    assertThat(
            tasks(
                10,
                Placement.BUCKETS_IN_ORDER,
                piece(1, 1, 0, 2),
                piece(1, 1, 1, 2),
                piece(2, 1, 2, 3),
                piece(2, 2, 0, 3)))
        .containsExactly(List.of("1:0", "1:1", "2:2"), List.of("2:0"));
  }

  @Test
  void rowsWithoutBucketsArePackedInTheOrderOfCommits() {
    assertThat(
            tasks(
                20, Placement.ANYWHERE, piece(1, 1, 0, -1), piece(2, 1, 0, -1), piece(3, 1, 0, -1)))
        .containsExactly(List.of("1:0", "2:0"), List.of("3:0"));
  }
}
