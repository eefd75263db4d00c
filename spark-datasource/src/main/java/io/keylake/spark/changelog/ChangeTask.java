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

package io.keylake.spark.changelog;

import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.merge.ReadMetrics;
import org.apache.hadoop.conf.Configuration;

/**
 * What all splits that one task reads share. For one thread.
 *
 * @param spec what is wanted
 * @param conf where file systems are configured; not changed
 * @param metrics counts what is read
 * @param files opens data files
 * @param vectors makes vectors
 */
public record ChangeTask(
    ChangeSpec spec,
    Configuration conf,
    ReadMetrics metrics,
    DataFiles files,
    VectorAllocation vectors) {
  static ChangeTask of(ChangeSpec spec, Configuration conf, ReadMetrics metrics) {
    VectorAllocation vectors = new VectorAllocation(spec.data().batchRows(), spec.data().memory());
    return new ChangeTask(
        spec, conf, metrics, new DataFiles(conf, vectors, spec.data().addedDefaults()), vectors);
  }
}
