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

package io.keylake.spark.maintenance;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's UI shows for the jobs that this thread starts, until closed; then what was there
 * before. A job group of the caller stays, so that the caller can cancel it; without one the jobs
 * get a group of their own.
 */
public final class JobLabels implements AutoCloseable {
  private static final String GROUP = "spark.jobGroup.id";
  private static final String DESCRIPTION = "spark.job.description";
  private static final String CALL_SITE = "callSite.short";
  private static final String INTERRUPT = "spark.job.interruptOnCancel";

  private final SparkContext spark;
  private final Map<String, @Nullable String> before = new LinkedHashMap<>();

  /** Labels jobs; {@code group} is theirs if the caller has none. */
  public JobLabels(SparkContext spark, String group) {
    this.spark = spark;
    if (spark.getLocalProperty(GROUP) == null) {
      set(GROUP, group);
    }
    set(INTERRUPT, "true");
  }

  /** Says what the next job does. */
  public void describe(String text) {
    set(DESCRIPTION, text);
    set(CALL_SITE, text);
  }

  private void set(String key, String value) {
    if (!before.containsKey(key)) {
      before.put(key, spark.getLocalProperty(key));
    }
    spark.setLocalProperty(key, value);
  }

  @Override
  public void close() {
    before.forEach(spark::setLocalProperty);
  }
}
