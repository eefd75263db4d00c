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

import io.keylake.spark.conf.TaskConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple3;

/**
 * Copies files by one Spark job. A target is overwritten, so that tasks can be tried again; targets
 * have names that nobody else uses. What travels to tasks are tuples of plain values, which any
 * serializer of Spark's takes.
 */
final class FileCopies {
  private FileCopies() {}

  /**
   * A file to copy.
   *
   * @param from its address
   * @param to where to
   * @param bytes its size
   */
  record Copy(String from, String to, long bytes) {}

  /** Copies all of them, {@code parallelism} at a time at most; returns when all are there. */
  static void run(
      SparkContext spark, Configuration configuration, List<Copy> copies, int parallelism) {
    if (copies.isEmpty()) {
      return;
    }
    TaskConfiguration conf = TaskConfiguration.of(configuration);
    int tasks = Math.max(1, Math.min(parallelism, copies.size()));
    List<Tuple3<String, String, Long>> plain = new ArrayList<>();
    copies.forEach(copy -> plain.add(new Tuple3<>(copy.from(), copy.to(), copy.bytes())));
    JavaSparkContext.fromSparkContext(spark)
        .parallelize(plain, tasks)
        .foreach(copy -> copy(conf.value(), new Copy(copy._1(), copy._2(), copy._3())));
  }

  private static void copy(Configuration configuration, Copy copy) throws IOException {
    Path from = new Path(copy.from());
    Path to = new Path(copy.to());
    FileSystem target = to.getFileSystem(configuration);
    boolean copied =
        FileUtil.copy(
            from.getFileSystem(configuration), from, target, to, false, true, configuration);
    long size = target.getFileStatus(to).getLen();
    if (!copied || size != copy.bytes()) {
      throw new IOException(
          "Copied " + size + " of " + copy.bytes() + " bytes of " + from + " to " + to);
    }
  }
}
