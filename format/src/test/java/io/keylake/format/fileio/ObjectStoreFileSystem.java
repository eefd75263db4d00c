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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's view of an {@link ObjectStore}, scheme {@code objstore}, as those of real stores are:
 *
 * <ol>
 *   <li>A folder is what some key goes on below, or an empty object whose name ends in a slash.
 *   <li>An object is put when its stream is closed. {@code overwrite = false} looks when the stream
 *       is opened, and that is all; {@code fs.option.create.conditional.overwrite} decides when it
 *       is closed.
 *   <li>Rename copies and deletes object by object, and everybody can see how far it got.
 * </ol>
 *
 * Hadoop finds it by its service file.
 */
public final class ObjectStoreFileSystem extends FileSystem {
  /** The scheme. */
  public static final String SCHEME = "objstore";

  private static final long BLOCK = 32L << 20;

  private URI uri = URI.create(SCHEME + ":///");
  private ObjectStore store = ObjectStore.bucket("");

  /** Made by Hadoop. */
  public ObjectStoreFileSystem() {}

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public void initialize(URI name, Configuration configuration) throws IOException {
    super.initialize(name, configuration);
    uri = URI.create(name.getScheme() + "://" + name.getAuthority());
  }

  /** The bucket may be made anew while Hadoop keeps this object in its cache. */
  private ObjectStore store() {
    String name = uri.getAuthority();
    if (name != null) {
      store = ObjectStore.bucket(name);
    }
    return store;
  }

  private static String key(Path path) {
    return path.toUri().getPath();
  }

  private static String prefix(String key) {
    return key.endsWith("/") ? key : key + "/";
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new ObjectInput(store().get(key(path)).content()));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    if (!overwrite && store().find(key(path)) != null) {
      throw new FileAlreadyExistsException(path.toString());
    }
    return output(content -> store().put(key(path), content));
  }

  /** Puts an object. */
  @FunctionalInterface
  private interface Put {
    void run(byte[] content) throws IOException;
  }

  private static FSDataOutputStream output(Put put) throws IOException {
    return new FSDataOutputStream(
        new ByteArrayOutputStream() {
          private boolean isClosed;

          @Override
          public void close() throws IOException {
            if (!isClosed) {
              isClosed = true;
              put.run(toByteArray());
            }
          }
        },
        null);
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
    return new Builder(path).create().overwrite(true);
  }

  private final class Builder extends FSDataOutputStreamBuilder<FSDataOutputStream, Builder> {
    private final Path path;

    Builder(Path path) {
      super(ObjectStoreFileSystem.this, path);
      this.path = path;
    }

    @Override
    public Builder getThisBuilder() {
      return this;
    }

    @Override
    public FSDataOutputStream build() throws IOException {
      boolean isConditional = getOptions().getBoolean(ConditionalCreatePublisher.OPTION, false);
      if (isConditional && !store().isConditional()) {
        throw new UnsupportedOperationException("The store has no conditional put");
      }
      return output(
          content -> {
            if (isConditional) {
              store().putIfAbsent(key(path), content);
            } else {
              store().put(key(path), content);
            }
          });
    }
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException("append");
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return capability.equals(ConditionalCreatePublisher.OPTION)
        ? store().isConditional()
        : super.hasPathCapability(path, capability);
  }

  @Override
  public boolean rename(Path source, Path target) throws IOException {
    store().countRename();
    String from = key(source);
    String to = key(target);
    List<String> keys = new ArrayList<>(store().list(prefix(from)));
    if (store().find(from) != null) {
      keys.add(from);
    }
    for (String key : keys) {
      store().put(to + key.substring(from.length()), store().get(key).content());
      store().delete(key);
    }
    return !keys.isEmpty();
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    String key = key(path);
    boolean isDeleted = store().delete(key);
    List<String> below = store().list(prefix(key));
    if (!recursive && below.stream().anyMatch(name -> !name.equals(prefix(key)))) {
      throw new PathIsNotEmptyDirectoryException(path.toString());
    }
    for (String name : below) {
      isDeleted |= store().delete(name);
    }
    return isDeleted;
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus self = getFileStatus(path);
    if (self.isFile()) {
      return new FileStatus[] {self};
    }
    String prefix = prefix(key(path));
    TreeMap<String, FileStatus> children = new TreeMap<>();
    for (String key : store().list(prefix)) {
      String rest = key.substring(prefix.length());
      int end = rest.indexOf('/');
      String name = end < 0 ? rest : rest.substring(0, end);
      ObjectStore.Stored found = store().find(key);
      if (!name.isEmpty() && found != null) {
        Path child = new Path(uri.getScheme(), uri.getAuthority(), prefix + name);
        children.put(name, end < 0 ? file(child, found) : folder(child));
      }
    }
    return children.values().toArray(new FileStatus[0]);
  }

  private static FileStatus file(Path path, ObjectStore.Stored found) {
    return new FileStatus(found.content().length, false, 1, BLOCK, found.time(), path);
  }

  private static FileStatus folder(Path path) {
    return new FileStatus(0, true, 1, BLOCK, 0, path);
  }

  @Override
  public void setWorkingDirectory(Path directory) {}

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri.getScheme(), uri.getAuthority(), "/");
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    if (store().find(key(path)) != null) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (!store().hasPrefix(prefix(key(path)))) {
      store().put(prefix(key(path)), new byte[0]);
    }
    return true;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    Path full = path.makeQualified(uri, getWorkingDirectory());
    ObjectStore.Stored found = store().find(key(path));
    if (found != null) {
      return file(full, found);
    }
    if (path.isRoot() || store().hasPrefix(prefix(key(path)))) {
      return folder(full);
    }
    throw new FileNotFoundException(path.toString());
  }

  private static final class ObjectInput extends FSInputStream {
    private final byte[] content;
    private InputStream rest;
    private long position;

    ObjectInput(byte[] content) {
      this.content = content;
      this.rest = new ByteArrayInputStream(content);
    }

    @Override
    public void seek(long target) throws IOException {
      if (target < 0 || target > content.length) {
        throw new java.io.EOFException("416 " + target);
      }
      rest = new ByteArrayInputStream(content, (int) target, content.length - (int) target);
      position = target;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int available() throws IOException {
      return rest.available();
    }

    @Override
    public int read() throws IOException {
      int value = rest.read();
      position += value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = rest.read(target, offset, length);
      position += Math.max(count, 0);
      return count;
    }
  }
}
