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

package io.keylake.spark.maintenance.orphan;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.table.expiry.ReferencedMetadata.Source;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Reads the names that manifests name. One that cannot be read fails the job.
 *
 * @param sources the manifests; tasks get their positions
 */
record ReadNames(TaskConfiguration configuration, Location root, Sources sources)
    implements PairFlatMapFunction<Integer, String, Boolean> {
  private static final long serialVersionUID = 1L;

  /** Manifests, in the closure of a job. */
  record Sources(ArrayList<Source> all) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public Iterator<Tuple2<String, Boolean>> call(Integer position) {
    ManifestReader manifests =
        new ManifestReader(
            HadoopFileIO.of(configuration.value()), TableLayout.of(root), new ManifestCache(0));
    Set<String> names = new HashSet<>();
    sources.all().get(position).forEachName(manifests, names::add);
    return names.stream().map(name -> new Tuple2<>(name, true)).iterator();
  }
}
