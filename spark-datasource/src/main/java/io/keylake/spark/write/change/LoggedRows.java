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

package io.keylake.spark.write.change;

import io.keylake.spark.sort.SortedRows;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Sorted rows on their way into data files, of which the changelog gets those that are meant for
 * it: all of an INSERT; of a row-level statement its images and the rows that it adds. For one
 * thread.
 */
public final class LoggedRows implements SortedRows {
  private final SortedRows rows;
  private final KeyChanges.Overrides log;
  private final UnsafeRow view;

  /**
   * Passes {@code rows} on.
   *
   * @param arity how many columns they have
   * @param log takes what the changelog gets
   */
  public LoggedRows(SortedRows rows, int arity, KeyChanges.Overrides log) {
    this.rows = rows;
    this.log = log;
    this.view = new UnsafeRow(arity);
  }

  @Override
  public boolean next() throws IOException {
    while (rows.next()) {
      byte code = rows.kind();
      if (!ChangeCode.isSilent(code)) {
        view.pointTo(rows.base(), rows.offset(), rows.length());
        log.add(rows.group(), view, rows.sequenceNumber(), ChangeCode.kind(code));
      }
      if (!ChangeCode.isImage(code)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Object base() {
    return rows.base();
  }

  @Override
  public long offset() {
    return rows.offset();
  }

  @Override
  public int length() {
    return rows.length();
  }

  @Override
  public int group() {
    return rows.group();
  }

  @Override
  public long sequenceNumber() {
    return rows.sequenceNumber();
  }

  @Override
  public byte kind() {
    return ChangeCode.stored(rows.kind());
  }
}
