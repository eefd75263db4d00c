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

package io.keylake.format.fileio;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FilterFileSystem;

/** What Hadoop makes for a scheme under which a test has mounted a {@link MemoryFileSystem}. */
public final class MountedFileSystem extends FilterFileSystem {
  private static final Map<String, MemoryFileSystem> MOUNTED = new ConcurrentHashMap<>();

  static void mount(String scheme, MemoryFileSystem fileSystem) {
    MOUNTED.put(scheme, fileSystem);
  }

  @Override
  public void initialize(URI name, Configuration configuration) {
    fs = MOUNTED.get(name.getScheme());
    setConf(configuration);
  }

  @Override
  protected void checkPath(org.apache.hadoop.fs.Path path) {}
}
