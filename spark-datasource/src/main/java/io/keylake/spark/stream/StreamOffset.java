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

import org.apache.spark.sql.connector.read.streaming.Offset;

/** A {@link StreamPosition} as Spark keeps it; equal when the text is. */
final class StreamOffset extends Offset {
  private final StreamPosition position;

  StreamOffset(StreamPosition position) {
    this.position = position;
  }

  /** The place of an offset that this stream made. */
  static StreamPosition position(Offset offset) {
    return offset instanceof StreamOffset known
        ? known.position
        : StreamPosition.parse(offset.json());
  }

  @Override
  public String json() {
    return position.json();
  }
}
