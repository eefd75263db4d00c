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

package io.keylake.spark.write.stream;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.jspecify.annotations.Nullable;

/** Writers of a write that was committed before: they pass over all rows. */
public final class SkippedRows implements DeltaWriterFactory {
  private static final long serialVersionUID = 1L;

  private enum Message implements WriterCommitMessage {
    NOTHING
  }

  private static final class Writer implements DeltaWriter<InternalRow> {
    @Override
    public void delete(@Nullable InternalRow metadata, InternalRow id) {}

    @Override
    public void update(@Nullable InternalRow metadata, InternalRow id, InternalRow row) {}

    @Override
    public void insert(InternalRow row) {}

    @Override
    public void write(InternalRow row) {}

    @Override
    public WriterCommitMessage commit() {
      return Message.NOTHING;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }

  @Override
  public DeltaWriter<InternalRow> createWriter(int partitionId, long taskId) {
    return new Writer();
  }
}
