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

package io.keylake.spark.read.layout;

import io.keylake.table.scan.BucketFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;

/**
 * How the tasks of a scan are keyed, as Spark is told.
 *
 * <ol>
 *   <li>Buckets are taken modulo {@code buckets}, which divides the number of buckets of every
 *       partition that is read: bucket functions are remainders, so keys that are equal stay
 *       together.
 *   <li>Spark has no function of several columns here. A bucket key of several columns is told as
 *       one function for each, all of which have the bucket's number as value. That is true as long
 *       as they are taken together, see {@link #isSafe}.
 * </ol>
 *
 * @param parts of the key, in order
 * @param key the bucket key
 * @param buckets number of buckets
 */
public record ReportedLayout(List<KeyPart> parts, BucketKey key, int buckets) {
  /** Copies the list. */
  public ReportedLayout {
    parts = List.copyOf(parts);
  }

  /** The parts as Spark's transforms. */
  public Expression[] keys() {
    return parts.stream().map(this::expression).toArray(Expression[]::new);
  }

  private Expression expression(KeyPart part) {
    if (part instanceof KeyPart.BucketNumber number) {
      return Expressions.apply(
          LayoutFunction.nameOf(key, buckets, number.position()),
          Expressions.column(quoted(part.column())));
    } else if (part instanceof KeyPart.AnyValue) {
      return Expressions.apply(LayoutFunction.ANY_NAME, Expressions.column(quoted(part.column())));
    }
    return Expressions.identity(quoted(part.column()));
  }

  private static String quoted(String column) {
    return "`" + column.replace("`", "``") + "`";
  }

  /** The key of a bucket; {@code partition} has the values of the partition columns. */
  public TaskKey keyOf(Map<String, @Nullable Object> partition, BucketFiles bucket) {
    List<@Nullable Object> values = new ArrayList<>();
    for (KeyPart part : parts) {
      if (part instanceof KeyPart.PartitionValue) {
        values.add(partition.get(part.column()));
      } else {
        values.add(part instanceof KeyPart.AnyValue ? 0 : bucket.bucket() % buckets);
      }
    }
    return new TaskKey(values);
  }

  /**
   * Whether Spark, as it is set now, takes all parts together: it neither joins on some of them,
   * nor computes them of values.
   */
  public boolean isSafe(SQLConf conf) {
    return key.columns().size() == 1
        || !(conf.v2BucketingAllowJoinKeysSubsetOfPartitionKeys()
            || conf.v2BucketingShuffleEnabled()
            || conf.v2BucketingAllowCompatibleTransforms());
  }
}
