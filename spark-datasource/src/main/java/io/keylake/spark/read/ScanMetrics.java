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

import io.keylake.spark.merge.ReadMetrics;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * What a scan shows in Spark's SQL tab. Each metric is a class of its own because Spark makes them
 * by name to add up what tasks report.
 */
public final class ScanMetrics {
  private ScanMetrics() {}

  /** Every metric of a scan. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new Files(),
      new RawSplits(),
      new MergeSplits(),
      new FoldSplits(),
      new ManifestsRead(),
      new ManifestsSkipped(),
      new PlanningMillis(),
      new FilesOpened(),
      new ProbesOpened(),
      new RowsMasked(),
      new RowGroupsSkipped()
    };
  }

  /** What a task reports. */
  public static CustomTaskMetric[] ofTask(ReadMetrics read) {
    return new CustomTaskMetric[] {
      new Value(FilesOpened.NAME, read.filesOpened()),
      new Value(ProbesOpened.NAME, read.probesOpened()),
      new Value(RowsMasked.NAME, read.rowsMasked()),
      new Value(RowGroupsSkipped.NAME, read.rowGroupsSkipped())
    };
  }

  /** What the driver reports of a plan of changes. */
  public static CustomTaskMetric[] ofPlan(long files, long planningMillis) {
    return new CustomTaskMetric[] {
      new Value(Files.NAME, files), new Value(PlanningMillis.NAME, planningMillis)
    };
  }

  /** A value of one metric. */
  record Value(String name, long value) implements CustomTaskMetric {}

  /** Data files that the plan holds. */
  public static final class Files extends CustomSumMetric {
    static final String NAME = "keylakeFiles";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files planned";
    }
  }

  /** Splits that need no merging. */
  public static final class RawSplits extends CustomSumMetric {
    static final String NAME = "keylakeRawSplits";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "raw splits";
    }
  }

  /** Splits whose rows are folded. */
  public static final class FoldSplits extends CustomSumMetric {
    static final String NAME = "keylakeFoldSplits";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "fold splits";
    }
  }

  /** Splits whose rows are checked against other runs. */
  public static final class MergeSplits extends CustomSumMetric {
    static final String NAME = "keylakeMergeSplits";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "merge splits";
    }
  }

  /** Manifests that planning read. */
  public static final class ManifestsRead extends CustomSumMetric {
    static final String NAME = "keylakeManifestsRead";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "manifests read";
    }
  }

  /** Manifests that planning could leave out. */
  public static final class ManifestsSkipped extends CustomSumMetric {
    static final String NAME = "keylakeManifestsSkipped";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "manifests skipped";
    }
  }

  /** Time that planning took. */
  public static final class PlanningMillis extends CustomSumMetric {
    static final String NAME = "keylakePlanningMillis";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "planning time (ms)";
    }
  }

  /** Data files that tasks opened to scan their rows. */
  public static final class FilesOpened extends CustomSumMetric {
    static final String NAME = "keylakeFilesOpened";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files opened";
    }
  }

  /** Data files that tasks opened for their keys only. */
  public static final class ProbesOpened extends CustomSumMetric {
    static final String NAME = "keylakeProbesOpened";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files opened for keys";
    }
  }

  /** Rows read and dropped because they are deleted or replaced. */
  public static final class RowsMasked extends CustomSumMetric {
    static final String NAME = "keylakeRowsMasked";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows masked";
    }
  }

  /** Row groups that statistics excluded. */
  public static final class RowGroupsSkipped extends CustomSumMetric {
    static final String NAME = "keylakeRowGroupsSkipped";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "row groups skipped";
    }
  }
}
