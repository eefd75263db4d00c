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

package io.keylake.spark.conf;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import scala.reflect.ClassTag$;

/**
 * The Hadoop configuration by which the tasks of a job reach storage. An executor gets it once, not
 * with each task: taking apart its two thousand entries costs more than a small task does. Tasks of
 * a process share the object and must not change it.
 */
public final class TaskConfiguration implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Broadcast<SerializableConfiguration> shared;

  private TaskConfiguration(Broadcast<SerializableConfiguration> shared) {
    this.shared = shared;
  }

  /** Of a job of the running context; to be called on the driver. */
  public static TaskConfiguration of(Configuration configuration) {
    return new TaskConfiguration(
        SparkContext.getOrCreate()
            .broadcast(
                new SerializableConfiguration(configuration),
                ClassTag$.MODULE$.apply(SerializableConfiguration.class)));
  }

  /** That of a job which reaches a table's files as the driver does; to be called on the driver. */
  public static TaskConfiguration of(FileIO io) {
    return of(hadoop(io));
  }

  /** How the driver reaches a table's files: as its catalog says, or else as the session does. */
  public static Configuration hadoop(FileIO io) {
    return io instanceof HadoopFileIO hadoop
        ? hadoop.configuration()
        : SparkContext.getOrCreate().hadoopConfiguration();
  }

  /** The configuration, on the driver or in a task. */
  public Configuration value() {
    return shared.value().value();
  }
}
