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

import static io.keylake.table.commit.CommitFixture.STORAGE;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import java.util.List;
import java.util.Optional;

/** Storage whose publications a test decides about. */
final class PublishingFileIO implements FileIO {
  /** Publishes in its own way. */
  interface Publisher {
    Publication publish(Location file, byte[] content);
  }

  private final Publisher publisher;

  PublishingFileIO(Publisher publisher) {
    this.publisher = publisher;
  }

  /** Something happens just before each publication. */
  static PublishingFileIO after(Runnable other) {
    return new PublishingFileIO(
        (file, content) -> {
          other.run();
          return STORAGE.publish(file, content);
        });
  }

  @Override
  public Publication publish(Location file, byte[] content) {
    return publisher.publish(file, content);
  }

  @Override
  public byte[] read(Location file) {
    return STORAGE.read(file);
  }

  @Override
  public Optional<byte[]> readIfExists(Location file) {
    return STORAGE.readIfExists(file);
  }

  @Override
  public boolean exists(Location location) {
    return STORAGE.exists(location);
  }

  @Override
  public Optional<FileStatus> status(Location location) {
    return STORAGE.status(location);
  }

  @Override
  public List<FileStatus> list(Location folder) {
    return STORAGE.list(folder);
  }

  @Override
  public void createFolder(Location folder) {
    STORAGE.createFolder(folder);
  }

  @Override
  public void create(Location file, byte[] content) {
    STORAGE.create(file, content);
  }

  @Override
  public void overwrite(Location file, byte[] content) {
    STORAGE.overwrite(file, content);
  }

  @Override
  public void renameFolder(Location from, Location to, String decisive) {
    STORAGE.renameFolder(from, to, decisive);
  }

  @Override
  public void delete(Location file) {
    STORAGE.delete(file);
  }

  @Override
  public boolean deleteEmptyFolder(Location folder) {
    return STORAGE.deleteEmptyFolder(folder);
  }

  @Override
  public void deleteFolder(Location folder) {
    STORAGE.deleteFolder(folder);
  }
}
