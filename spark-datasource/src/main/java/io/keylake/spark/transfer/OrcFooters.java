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

package io.keylake.spark.transfer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.spark.sql.execution.datasources.orc.OrcUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * Reads the footers of ORC files. Times in them are in the time zone of their writer, which the
 * table format knows nothing of: such columns do not fit. No column has a range.
 */
final class OrcFooters implements Footer.Reader {
  private final Configuration conf;

  OrcFooters(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public List<String> misfits(StructType columns) {
    return Arrays.stream(columns.fields())
        .filter(column -> hasTime(column.dataType()))
        .map(column -> column.name() + " " + column.dataType().sql())
        .toList();
  }

  private static boolean hasTime(DataType type) {
    return type.catalogString().contains("timestamp");
  }

  @Override
  public Footer read(String file, long bytes) throws IOException {
    try (Reader reader =
        OrcFile.createReader(new Path(file), OrcFile.readerOptions(conf).maxLength(bytes))) {
      return new Footer(
          reader.getNumberOfRows(), OrcUtils.toCatalystSchema(reader.getSchema()), Map.of());
    }
  }
}
