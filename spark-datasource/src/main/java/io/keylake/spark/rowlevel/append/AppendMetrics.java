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

package io.keylake.spark.rowlevel.append;

import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * What a row-level statement on an append table shows in Spark's SQL tab beside what a write shows.
 * Each metric is a class of its own because Spark makes them by name.
 */
public final class AppendMetrics {
  private AppendMetrics() {}

  static CustomMetric[] all() {
    return new CustomMetric[] {new MarkedRows(), new TouchedFiles()};
  }

  /** A value of one metric. */
  record Value(String name, long value) implements CustomTaskMetric {}

  /** Rows of data files that go, updated rows included. */
  public static final class MarkedRows extends CustomSumMetric {
    static final String NAME = "keylakeRowsMarked";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows removed from data files";
    }
  }

  /** Data files of which rows go, once per task. */
  public static final class TouchedFiles extends CustomSumMetric {
    static final String NAME = "keylakeFilesTouched";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files that lose rows";
    }
  }
}
