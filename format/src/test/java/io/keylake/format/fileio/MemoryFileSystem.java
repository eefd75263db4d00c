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
import java.util.NavigableMap;
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
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A file system in memory, one per instance, for schemes whose storage tests have none of. Renames
 * refuse existing targets as HDFS does; files appear when they are closed, and conditional creation
 * can be offered, as object stores do. The next rename or conditional creation can be made to fail.
 */
final class MemoryFileSystem extends FileSystem {
  /** How the next rename or conditional creation goes wrong. */
  enum Trouble {
    NONE,
    FAILS,
    REPLY_IS_LOST
  }

  /** Whether files can be created only if absent. */
  enum Creation {
    CONDITIONAL,
    PLAIN
  }

  private final Creation creation;
  private final NavigableMap<String, byte[]> files = new TreeMap<>();
  private final NavigableMap<String, Boolean> folders = new TreeMap<>();
  private URI uri = URI.create("mem:///");
  private Trouble trouble = Trouble.NONE;
  private boolean readsFail;

  MemoryFileSystem(Creation creation) {
    this.creation = creation;
  }

  /** A configuration in which {@code scheme} is this file system. */
  Configuration mountedAs(String scheme) {
    Configuration configuration = new Configuration(false);
    initializeAs(scheme, configuration);
    MountedFileSystem.mount(scheme, this);
    configuration.set("fs." + scheme + ".impl", MountedFileSystem.class.getName());
    configuration.setBoolean("fs." + scheme + ".impl.disable.cache", true);
    return configuration;
  }

  private void initializeAs(String scheme, Configuration configuration) {
    uri = URI.create(scheme + "://store/");
    setConf(configuration);
  }

  synchronized void nextAttempt(Trouble next) {
    trouble = next;
  }

  synchronized void failReads() {
    readsFail = true;
  }

  private Trouble takeTrouble() {
    Trouble taken = trouble;
    trouble = Trouble.NONE;
    return taken;
  }

  private static String key(Path path) {
    return path.toUri().getPath();
  }

  private void checkReads() throws IOException {
    if (readsFail) {
      throw new IOException("unreachable");
    }
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public synchronized FSDataInputStream open(Path path, int bufferSize) throws IOException {
    checkReads();
    byte[] content = files.get(key(path));
    if (content == null) {
      throw new FileNotFoundException(path.toString());
    }
    return new FSDataInputStream(new MemoryInput(content));
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
    return output(path, overwrite ? "overwrite" : "create");
  }

  private FSDataOutputStream output(Path path, String mode) throws IOException {
    return new FSDataOutputStream(
        new ByteArrayOutputStream() {
          @Override
          public void close() throws IOException {
            store(path, toByteArray(), mode);
          }
        },
        null);
  }

  private synchronized void store(Path path, byte[] content, String mode) throws IOException {
    Trouble now = mode.equals("conditional") ? takeTrouble() : Trouble.NONE;
    if (now == Trouble.FAILS) {
      throw new IOException("failed before the effect");
    }
    if (!mode.equals("overwrite") && files.containsKey(key(path))) {
      throw new FileAlreadyExistsException(path.toString());
    }
    mkdirs(path.getParent());
    files.put(key(path), content);
    if (now == Trouble.REPLY_IS_LOST) {
      throw new IOException("failed after the effect");
    }
  }

  @Override
  public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
    return new Builder(path).create().overwrite(true);
  }

  private final class Builder extends FSDataOutputStreamBuilder<FSDataOutputStream, Builder> {
    private final Path path;

    Builder(Path path) {
      super(MemoryFileSystem.this, path);
      this.path = path;
    }

    @Override
    public Builder getThisBuilder() {
      return this;
    }

    @Override
    public FSDataOutputStream build() throws IOException {
      boolean conditional =
          creation == Creation.CONDITIONAL
              && getOptions().getBoolean(ConditionalCreatePublisher.OPTION, false);
      return output(path, conditional ? "conditional" : "overwrite");
    }
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException("append");
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) {
    return creation == Creation.CONDITIONAL && capability.equals(ConditionalCreatePublisher.OPTION);
  }

  @Override
  public synchronized boolean rename(Path source, Path target) throws IOException {
    Trouble now = takeTrouble();
    if (now == Trouble.FAILS) {
      throw new IOException("failed before the effect");
    }
    String from = key(source);
    String to = key(target);
    if (files.containsKey(to) || folders.containsKey(to)) {
      return false;
    }
    boolean movedFiles = move(files, from, to);
    boolean moved = move(folders, from, to) || movedFiles;
    if (now == Trouble.REPLY_IS_LOST) {
      throw new IOException("failed after the effect");
    }
    return moved;
  }

  private static <T> boolean move(NavigableMap<String, T> entries, String from, String to) {
    List<String> moved = below(entries, from);
    moved.forEach(name -> entries.put(to + name.substring(from.length()), entries.remove(name)));
    return !moved.isEmpty();
  }

  private static List<String> below(NavigableMap<String, ?> entries, String path) {
    return entries.keySet().stream()
        .filter(name -> name.equals(path) || name.startsWith(path + "/"))
        .toList();
  }

  @Override
  public synchronized boolean delete(Path path, boolean recursive) {
    List<String> deletedFiles = below(files, key(path));
    List<String> deletedFolders = below(folders, key(path));
    deletedFiles.forEach(files::remove);
    deletedFolders.forEach(folders::remove);
    return !deletedFiles.isEmpty() || !deletedFolders.isEmpty();
  }

  @Override
  public synchronized FileStatus[] listStatus(Path path) throws IOException {
    if (!folders.containsKey(key(path))) {
      throw new FileNotFoundException(path.toString());
    }
    List<FileStatus> children = new ArrayList<>();
    for (NavigableMap<String, ?> entries : List.of(files, folders)) {
      for (String name : entries.keySet()) {
        Path child = new Path("mem", null, name);
        if (child.getParent() != null && key(child.getParent()).equals(key(path))) {
          children.add(getFileStatus(child));
        }
      }
    }
    return children.toArray(new FileStatus[0]);
  }

  @Override
  public void setWorkingDirectory(Path directory) {}

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri);
  }

  @Override
  public synchronized boolean mkdirs(Path path, FsPermission permission) {
    for (Path folder = path; folder != null; folder = folder.getParent()) {
      folders.put(key(folder), true);
    }
    return true;
  }

  @Override
  public synchronized FileStatus getFileStatus(Path path) throws IOException {
    checkReads();
    byte[] content = files.get(key(path));
    if (content == null && !folders.containsKey(key(path))) {
      throw new FileNotFoundException(path.toString());
    }
    return new FileStatus(content == null ? 0 : content.length, content == null, 1, 1, 1000, path);
  }

  private static final class MemoryInput extends FSInputStream {
    private final byte[] content;
    private InputStream rest;
    private long position;

    MemoryInput(byte[] content) {
      this.content = content;
      this.rest = new ByteArrayInputStream(content);
    }

    @Override
    public void seek(long target) {
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
