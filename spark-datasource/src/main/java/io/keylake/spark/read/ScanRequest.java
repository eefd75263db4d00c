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

package io.keylake.spark.read;

import io.keylake.spark.merge.ReadColumn;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * What a scan gives.
 *
 * @param columns the columns to read, in output order
 * @param output the same columns as Spark knows them
 * @param filters conditions
 * @param limit that many rows suffice, or {@link #NO_LIMIT}
 */
record ScanRequest(List<ReadColumn> columns, StructType output, ScanFilters filters, int limit) {
  static final int NO_LIMIT = -1;

  ScanRequest {
    columns = List.copyOf(columns);
  }

  static ScanRequest of(ReadTarget target, StructType required, ScanFilters filters, int limit) {
    return new ScanRequest(
        ReadProjection.of(required, target.schema().rowType()), required, filters, limit);
  }

  /** How the columns become the output. */
  OutputShape shape() {
    return new OutputShape(output);
  }

  ScanRequest withFilters(ScanFilters more) {
    return new ScanRequest(columns, output, more, limit);
  }
}
