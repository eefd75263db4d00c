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

import static java.util.Objects.requireNonNull;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Publishes on local POSIX file systems: writes a temporary file beside the target, then makes the
 * target a hard link to it, which fails when the target exists, among all processes of the machine.
 * Whether this caller won is never guessed: the target is its own exactly when both names are the
 * same file.
 *
 * <p>Where links do not work (some network file systems, exFAT), an exclusive lock on a file beside
 * the table's folder guards check and rename; where locks do not work either, publishing is
 * refused.
 */
final class HardLinkPublisher implements Publisher {
  /** Makes a link, and fails when the link exists. Replaced in tests. */
  @FunctionalInterface
  interface Linker {
    void link(Path link, Path existing) throws IOException;
  }

  /** Locks are held per process, so threads of one process need one more. */
  private static final Map<Path, ReentrantLock> THREAD_LOCKS = new ConcurrentHashMap<>();

  private static final String LOCK_NAME = ".keylake-publish.lock";

  private final TemporaryNames names;
  private final Linker linker;

  HardLinkPublisher(TemporaryNames names) {
    this(names, Files::createLink);
  }

  HardLinkPublisher(TemporaryNames names, Linker linker) {
    this.names = names;
    this.linker = linker;
  }

  @Override
  public FolderMove folderMove() {
    return FolderMove.AT_ONCE;
  }

  @Override
  public FileIO.Publication publish(org.apache.hadoop.fs.Path file, byte[] content)
      throws IOException {
    Path target = local(file);
    if (Files.exists(target)) {
      return FileIO.Publication.LOST;
    }
    Path temporary = writeTemporary(target, content);
    try {
      Files.deleteIfExists(checksumOf(target));
      return link(temporary, target);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private FileIO.Publication link(Path temporary, Path target) throws IOException {
    try {
      linker.link(target, temporary);
      return FileIO.Publication.PUBLISHED;
    } catch (IOException | UnsupportedOperationException failure) {
      if (Files.exists(target)) {
        return Files.isSameFile(temporary, target)
            ? FileIO.Publication.PUBLISHED
            : FileIO.Publication.LOST;
      }
      if (failure instanceof FileAlreadyExistsException) {
        return FileIO.Publication.LOST;
      }
      return renameUnderLock(temporary, target, failure);
    }
  }

  private static FileIO.Publication renameUnderLock(
      Path temporary, Path target, Exception linkFailure) throws IOException {
    Path lockFile = lockFile(target);
    ReentrantLock threadLock =
        THREAD_LOCKS.computeIfAbsent(lockFile, ignored -> new ReentrantLock());
    threadLock.lock();
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock(channel, target, linkFailure);
      if (Files.exists(target)) {
        return FileIO.Publication.LOST;
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      return FileIO.Publication.PUBLISHED;
    } finally {
      threadLock.unlock();
    }
  }

  /** Locks until the channel is closed. */
  private static void lock(FileChannel channel, Path target, Exception linkFailure) {
    try {
      channel.lock();
    } catch (IOException failure) {
      failure.addSuppressed(linkFailure);
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSAFE_STORAGE,
          "Cannot publish "
              + target
              + ": its file system supports neither hard links nor file locks, so two writers"
              + " could overwrite each other. Put the table on another file system.",
          failure);
    }
  }

  /** Beside the folder that holds the target's folder: cleaners of tables leave it alone. */
  private static Path lockFile(Path target) {
    Path folder = requireNonNull(target.toAbsolutePath().getParent());
    Path table = folder.getParent();
    return (table == null ? folder : table).resolve(LOCK_NAME);
  }

  @Override
  public void replace(org.apache.hadoop.fs.Path file, byte[] content) throws IOException {
    Path target = local(file);
    Path temporary = writeTemporary(target, content);
    try {
      Files.deleteIfExists(checksumOf(target));
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private Path writeTemporary(Path target, byte[] content) throws IOException {
    Files.createDirectories(target.getParent());
    Path temporary = target.resolveSibling(names.next(target.getFileName().toString()));
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    } catch (IOException failure) {
      Files.deleteIfExists(temporary);
      throw failure;
    }
    return temporary;
  }

  /** The checksum that another Hadoop writer may have left for an earlier file of this name. */
  private static Path checksumOf(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".crc");
  }

  private static Path local(org.apache.hadoop.fs.Path file) {
    return Path.of(file.toUri().getPath());
  }
}
