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

import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.IOUtils;

/**
 * Moves a folder on storage that cannot give one another name, by copying and deleting its files.
 *
 * <ol>
 *   <li>All files are copied but those of the decisive folder. Without them nobody takes the target
 *       for anything.
 *   <li>The source is listed again: when somebody has written meanwhile the copy is given up.
 *   <li>The decisive files are copied: from now on the target exists.
 *   <li>The decisive files of the source are deleted, then the others.
 * </ol>
 *
 * For one move and one thread.
 */
final class FolderCopy {
  private final FileSystem fileSystem;
  private final Path source;
  private final Path target;
  private final String decisive;

  FolderCopy(FileSystem fileSystem, Path source, Path target, String decisive) {
    this.fileSystem = fileSystem;
    this.source = source;
    this.target = target;
    this.decisive = "/" + decisive + "/";
  }

  void move() throws IOException {
    Map<String, Long> files = files();
    copy(files);
    for (String file : files.keySet()) {
      if (isDecisive(file)) {
        fileSystem.delete(in(source, file), false);
      }
    }
    if (!fileSystem.delete(source, true) && fileSystem.exists(source)) {
      throw new IOException("All is copied, but the file system refused to delete the old folder");
    }
  }

  private void copy(Map<String, Long> files) throws IOException {
    boolean isDone = false;
    try {
      fileSystem.mkdirs(target);
      copy(files, false);
      if (!files().equals(files)) {
        throw new IOException("The folder was written meanwhile. Stop its writers and try again");
      }
      copy(files, true);
      isDone = true;
    } finally {
      if (!isDone) {
        fileSystem.delete(target, true);
      }
    }
  }

  private void copy(Map<String, Long> files, boolean decisiveOnes) throws IOException {
    for (Map.Entry<String, Long> file : files.entrySet()) {
      if (isDecisive(file.getKey()) == decisiveOnes) {
        copy(file.getKey(), file.getValue());
      }
    }
  }

  private void copy(String file, long length) throws IOException {
    Path copied = in(target, file);
    try (FSDataInputStream in = fileSystem.open(in(source, file));
        FSDataOutputStream out = fileSystem.create(copied, true)) {
      IOUtils.copyBytes(in, out, fileSystem.getConf(), false);
    }
    long found = fileSystem.getFileStatus(copied).getLen();
    if (found != length) {
      throw new IOException(copied + " has " + found + " bytes, not " + length);
    }
  }

  private boolean isDecisive(String file) {
    return file.startsWith(decisive);
  }

  /** The lengths of all files by their path from the source, which begins with a slash. */
  private Map<String, Long> files() throws IOException {
    Map<String, Long> files = new TreeMap<>(Comparator.naturalOrder());
    int prefix = source.toUri().getPath().length();
    RemoteIterator<LocatedFileStatus> all = fileSystem.listFiles(source, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      files.put(file.getPath().toUri().getPath().substring(prefix), file.getLen());
    }
    return files;
  }

  private static Path in(Path folder, String file) {
    return new Path(
        folder.toUri().getScheme(), folder.toUri().getAuthority(), folder.toUri().getPath() + file);
  }
}
