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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Which publisher a path gets. {@code docs/storage.md} has the same table for users.
 *
 * <ol>
 *   <li>{@code viewfs} is resolved first: the mounted file system decides.
 *   <li>{@code file} links, {@code hdfs}, {@code webhdfs} and {@code swebhdfs} rename.
 *   <li>Any other scheme creates conditionally if its file system says that it can.
 *   <li>Otherwise {@value #SINGLE_WRITER} must say that there is one writer only, or the path is
 *       refused.
 * </ol>
 */
final class PublisherChoice {
  /** Hadoop property: accepts storage without atomic publication for a single writer. */
  static final String SINGLE_WRITER = "keylake.storage.single-writer";

  private static final Set<String> RENAME_SCHEMES = Set.of("hdfs", "webhdfs", "swebhdfs");

  /** A publisher and the path as its file system knows it. */
  record Chosen(Publisher publisher, Path path) {}

  private final Configuration configuration;
  private final TemporaryNames names;

  PublisherChoice(Configuration configuration, Ids ids) {
    this.configuration = configuration;
    this.names = new TemporaryNames(ids);
  }

  Chosen forPath(Path file) throws IOException {
    Path target = resolve(file);
    FileSystem fileSystem = target.getFileSystem(configuration);
    String scheme = fileSystem.getUri().getScheme();
    if (scheme.equals("file")) {
      return new Chosen(new HardLinkPublisher(names), target);
    }
    if (RENAME_SCHEMES.contains(scheme)) {
      return new Chosen(new HdfsRenamePublisher(fileSystem, names), target);
    }
    if (fileSystem.hasPathCapability(target, ConditionalCreatePublisher.OPTION)) {
      return new Chosen(new ConditionalCreatePublisher(fileSystem), target);
    }
    if (configuration.getBoolean(SINGLE_WRITER, false)) {
      return new Chosen(new SingleWriterPublisher(fileSystem, names), target);
    }
    throw unsafe(target, scheme);
  }

  private Path resolve(Path file) throws IOException {
    FileSystem fileSystem = file.getFileSystem(configuration);
    if (!fileSystem.getUri().getScheme().equals("viewfs")) {
      return file;
    }
    Path folder = file.getParent();
    fileSystem.mkdirs(folder);
    return TemporaryNames.child(fileSystem.resolvePath(folder), file.getName());
  }

  private static UnsupportedTableException unsafe(Path file, String scheme) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSAFE_STORAGE,
        "Cannot publish "
            + file
            + ": storage of scheme '"
            + scheme
            + "' offers no way to create a file only if it does not exist, so two writers could"
            + " overwrite each other's commits. Enable conditional creation in its file system, or"
            + " if only one process ever writes this table, set the Hadoop property "
            + SINGLE_WRITER
            + "=true.",
        null);
  }
}
