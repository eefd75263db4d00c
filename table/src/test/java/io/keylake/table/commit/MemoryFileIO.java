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

package io.keylake.table.commit;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Storage in memory, with folders that exist while there is something in them. */
public final class MemoryFileIO implements FileIO {
  private final TreeMap<String, byte[]> files = new TreeMap<>();

  @Override
  public synchronized byte[] read(Location file) {
    return readIfExists(file)
        .orElseThrow(() -> new UncheckedIOException(new FileNotFoundException(file.path())));
  }

  @Override
  public synchronized Optional<byte[]> readIfExists(Location file) {
    return Optional.ofNullable(files.get(file.path()));
  }

  @Override
  public synchronized boolean exists(Location location) {
    return status(location).isPresent();
  }

  @Override
  public synchronized Optional<FileStatus> status(Location location) {
    byte[] content = files.get(location.path());
    if (content != null) {
      return Optional.of(new FileStatus(location, content.length, 0, false));
    }
    return below(location).isEmpty()
        ? Optional.empty()
        : Optional.of(new FileStatus(location, 0, 0, true));
  }

  private List<String> below(Location folder) {
    String prefix = folder.path() + "/";
    return new ArrayList<>(files.subMap(prefix, prefix + Character.MAX_VALUE).keySet());
  }

  @Override
  public synchronized List<FileStatus> list(Location folder) {
    TreeSet<String> children = new TreeSet<>();
    int start = folder.path().length() + 1;
    for (String path : below(folder)) {
      int slash = path.indexOf('/', start);
      children.add(slash < 0 ? path : path.substring(0, slash));
    }
    return children.stream().map(path -> status(new Location(path)).orElseThrow()).toList();
  }

  @Override
  public void createFolder(Location folder) {}

  @Override
  public synchronized void create(Location file, byte[] content) {
    if (files.putIfAbsent(file.path(), content) != null) {
      throw new UncheckedIOException(new IOException("exists: " + file));
    }
  }

  @Override
  public synchronized void overwrite(Location file, byte[] content) {
    files.put(file.path(), content);
  }

  @Override
  public synchronized Publication publish(Location file, byte[] content) {
    return files.putIfAbsent(file.path(), content) == null
        ? Publication.PUBLISHED
        : Publication.LOST;
  }

  @Override
  public synchronized void renameFolder(Location from, Location to, String decisive) {
    for (String path : below(from)) {
      files.put(to.path() + path.substring(from.path().length()), files.remove(path));
    }
  }

  @Override
  public synchronized void delete(Location file) {
    files.remove(file.path());
  }

  @Override
  public synchronized boolean deleteEmptyFolder(Location folder) {
    return below(folder).isEmpty();
  }

  @Override
  public synchronized void deleteFolder(Location folder) {
    below(folder).forEach(files::remove);
  }
}
