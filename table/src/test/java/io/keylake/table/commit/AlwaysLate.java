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

import static io.keylake.table.commit.CommitFixture.LOCAL;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import java.util.List;
import java.util.Optional;

/** Storage on which another writer commits just before each publication. */
final class AlwaysLate implements FileIO {
  private final CommitFixture table;
  private int others;

  AlwaysLate(CommitFixture table) {
    this.table = table;
  }

  @Override
  public Publication publish(Location file, byte[] content) {
    String name = "o" + others++;
    table
        .committer()
        .commit(
            CommitRequest.batch(
                "other" + name,
                List.of(CommitFixture.added("b", CommitFixture.file(name, 1, 1, 0)))));
    return LOCAL.publish(file, content);
  }

  @Override
  public byte[] read(Location file) {
    return LOCAL.read(file);
  }

  @Override
  public Optional<byte[]> readIfExists(Location file) {
    return LOCAL.readIfExists(file);
  }

  @Override
  public boolean exists(Location location) {
    return LOCAL.exists(location);
  }

  @Override
  public Optional<FileStatus> status(Location location) {
    return LOCAL.status(location);
  }

  @Override
  public List<FileStatus> list(Location folder) {
    return LOCAL.list(folder);
  }

  @Override
  public void createFolder(Location folder) {
    LOCAL.createFolder(folder);
  }

  @Override
  public void create(Location file, byte[] content) {
    LOCAL.create(file, content);
  }

  @Override
  public void overwrite(Location file, byte[] content) {
    LOCAL.overwrite(file, content);
  }

  @Override
  public void renameFolder(Location from, Location to) {
    LOCAL.renameFolder(from, to);
  }

  @Override
  public void delete(Location file) {
    LOCAL.delete(file);
  }

  @Override
  public void deleteFolder(Location folder) {
    LOCAL.deleteFolder(folder);
  }
}
