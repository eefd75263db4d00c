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

import org.apache.hadoop.fs.Path;

/**
 * Names of files that exist only while another is being published. They start with a dot, so no
 * reader takes them for a snapshot or schema.
 */
final class TemporaryNames {
  private final Ids ids;

  TemporaryNames(Ids ids) {
    this.ids = ids;
  }

  /** A new name: {@code .<name>.<id>.tmp}. */
  String next(String name) {
    return "." + name + "." + ids.next() + ".tmp";
  }

  /** A new file beside {@code file}. */
  Path beside(Path file) {
    return child(file.getParent(), next(file.getName()));
  }

  /** The child of exactly this name; unlike Hadoop's constructor it takes no colon for a scheme. */
  static Path child(Path folder, String name) {
    String parent = folder.toUri().getPath();
    return new Path(
        folder.toUri().getScheme(),
        folder.toUri().getAuthority(),
        parent.endsWith("/") ? parent + name : parent + "/" + name);
  }
}
