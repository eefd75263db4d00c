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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Storage through Hadoop's file systems. File systems are cached by Hadoop, so an instance is
 * cheap. Safe for use by many threads; not serializable (executors make their own from Spark's
 * configuration).
 *
 * <p>Metadata on {@code file:} is read and written below Hadoop's checksum layer, which would fail
 * on a checksum file that another writer left for an earlier file of the same name. Listing and
 * deleting go through it, so checksum files are neither seen nor left behind.
 */
public final class HadoopFileIO implements FileIO {
  /** A storage call that may fail. */
  @FunctionalInterface
  private interface Call<T> {
    T run() throws IOException;
  }

  private final Configuration configuration;
  private final PublisherChoice publishers;

  private HadoopFileIO(Configuration configuration, Ids ids) {
    this.configuration = configuration;
    this.publishers = new PublisherChoice(configuration, ids);
  }

  /** Storage as {@code configuration} sets it up. */
  public static HadoopFileIO of(Configuration configuration) {
    return new HadoopFileIO(configuration, Ids.random());
  }

  /** The configuration it was made of. */
  public Configuration configuration() {
    return configuration;
  }

  /** The Hadoop path of a location, whatever characters it has. */
  public Path path(Location location) {
    return new Path(location.path());
  }

  /** The location of a Hadoop path. */
  public Location location(Path path) {
    return new Location(path.toString());
  }

  /** The file system that holds {@code location}, for opening data files. */
  public FileSystem fileSystem(Location location) {
    return run("open the file system of", location, () -> fileSystem(path(location)));
  }

  private FileSystem fileSystem(Path path) throws IOException {
    return path.getFileSystem(configuration);
  }

  private FileSystem withoutChecksums(Path path) throws IOException {
    FileSystem fileSystem = fileSystem(path);
    return fileSystem instanceof ChecksumFileSystem checked
        ? checked.getRawFileSystem()
        : fileSystem;
  }

  @Override
  public byte[] read(Location file) {
    Path path = path(file);
    return run("read", file, () -> WholeFile.read(withoutChecksums(path), path));
  }

  @Override
  public Optional<byte[]> readIfExists(Location file) {
    Path path = path(file);
    return run("read", file, () -> WholeFile.readIfExists(withoutChecksums(path), path));
  }

  @Override
  public boolean exists(Location location) {
    return status(location).isPresent();
  }

  @Override
  public Optional<FileStatus> status(Location location) {
    Path path = path(location);
    return run(
        "look up",
        location,
        () -> {
          try {
            return Optional.of(status(location, fileSystem(path).getFileStatus(path)));
          } catch (FileNotFoundException missing) {
            return Optional.empty();
          }
        });
  }

  @Override
  public List<FileStatus> list(Location folder) {
    Path path = path(folder);
    return run(
        "list",
        folder,
        () -> {
          List<FileStatus> children = new ArrayList<>();
          try {
            for (org.apache.hadoop.fs.FileStatus child : fileSystem(path).listStatus(path)) {
              children.add(status(folder.child(child.getPath().getName()), child));
            }
          } catch (FileNotFoundException missing) {
            return List.of();
          }
          return List.copyOf(children);
        });
  }

  private static FileStatus status(Location location, org.apache.hadoop.fs.FileStatus status) {
    return new FileStatus(
        location,
        status.isDirectory() ? 0 : status.getLen(),
        status.getModificationTime(),
        status.isDirectory());
  }

  @Override
  public void createFolder(Location folder) {
    Path path = path(folder);
    run(
        "create the folder",
        folder,
        () -> {
          if (!fileSystem(path).mkdirs(path)) {
            throw new IOException("The file system refused");
          }
          return true;
        });
  }

  @Override
  public void create(Location file, byte[] content) {
    Path path = path(file);
    run(
        "create",
        file,
        () -> {
          try (FSDataOutputStream out = withoutChecksums(path).create(path, false)) {
            out.write(content);
          }
          return true;
        });
  }

  @Override
  public void overwrite(Location file, byte[] content) {
    run(
        "overwrite",
        file,
        () -> {
          PublisherChoice.Chosen chosen = publishers.forPath(path(file));
          chosen.publisher().replace(chosen.path(), content);
          return true;
        });
  }

  @Override
  public Publication publish(Location file, byte[] content) {
    return run(
        "publish",
        file,
        () -> {
          PublisherChoice.Chosen chosen = publishers.forPath(path(file));
          return chosen.publisher().publish(chosen.path(), content);
        });
  }

  @Override
  public void renameFolder(Location from, Location to, String decisive) {
    Path source = path(from);
    Path target = path(to);
    run(
        "rename to " + to + " the folder",
        from,
        () -> {
          FileSystem fileSystem = fileSystem(source);
          if (fileSystem.exists(target)) {
            throw new IOException("The target exists");
          }
          switch (publishers.forPath(source).publisher().folderMove()) {
            case AT_ONCE -> {
              fileSystem.mkdirs(target.getParent());
              if (!fileSystem.rename(source, target)) {
                throw new IOException("The file system refused");
              }
            }
            case FILE_BY_FILE -> new FolderCopy(fileSystem, source, target, decisive).move();
          }
          return true;
        });
  }

  @Override
  public void delete(Location file) {
    delete(file, path -> fileSystem(path).delete(path, false));
  }

  @Override
  public boolean deleteEmptyFolder(Location folder) {
    Path path = path(folder);
    return run(
        "delete the folder",
        folder,
        () -> {
          if (withoutChecksums(path) instanceof RawLocalFileSystem local) {
            return deleteEmpty(local.pathToFile(path).toPath());
          }
          try {
            return fileSystem(path).delete(path, false) || !fileSystem(path).exists(path);
          } catch (PathIsNotEmptyDirectoryException notEmpty) {
            return false;
          } catch (IOException failure) {
            if (fileSystem(path).exists(path) && fileSystem(path).listStatus(path).length > 0) {
              return false;
            }
            throw failure;
          }
        });
  }

  /** Hadoop looks into a local folder first, and then deletes it with what has come meanwhile. */
  private static boolean deleteEmpty(java.nio.file.Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (DirectoryNotEmptyException notEmpty) {
      return false;
    }
  }

  @Override
  public void deleteFolder(Location folder) {
    delete(folder, path -> fileSystem(path).delete(path, true));
  }

  /** Deletes one path, false when it did not exist or was refused. */
  @FunctionalInterface
  private interface Deletion {
    boolean delete(Path path) throws IOException;
  }

  private void delete(Location location, Deletion deletion) {
    Path path = path(location);
    run(
        "delete",
        location,
        () -> {
          if (!deletion.delete(path) && fileSystem(path).exists(path)) {
            throw new IOException("The file system refused");
          }
          return true;
        });
  }

  private static <T> T run(String operation, Location location, Call<T> call) {
    try {
      return call.run();
    } catch (FileNotFoundException missing) {
      FileNotFoundException named =
          new FileNotFoundException(message(operation, location, missing));
      named.initCause(missing);
      throw new UncheckedIOException(named);
    } catch (IOException failure) {
      throw new UncheckedIOException(
          new IOException(message(operation, location, failure), failure));
    }
  }

  private static String message(String operation, Location location, IOException failure) {
    return "Cannot " + operation + " " + location + ": " + failure.getMessage();
  }
}
