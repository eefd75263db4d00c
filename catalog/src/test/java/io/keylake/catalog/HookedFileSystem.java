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

package io.keylake.catalog;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local file system, which calls a hook before a file is made or deleted. */
public final class HookedFileSystem extends LocalFileSystem {
  /** Options of a catalog that reaches local files through it. */
  public static final Map<String, String> OPTIONS =
      Map.of(
          "hadoop.fs.file.impl",
          HookedFileSystem.class.getName(),
          "hadoop.fs.file.impl.disable.cache",
          "true");

  /** What happens before a file is made or deleted. */
  public interface Hook {
    /** Before a file is made. */
    void beforeCreate(Path file) throws IOException;

    /** Before one is deleted. */
    default void beforeDelete(Path file) throws IOException {}
  }

  private static final AtomicReference<Hook> HOOK = new AtomicReference<>(file -> {});

  /** Made by Hadoop. */
  public HookedFileSystem() {
    super(new Raw());
  }

  /** Calls {@code hook} from now on. */
  public static void hook(Hook hook) {
    HOOK.set(hook);
  }

  /** Calls nothing from now on. */
  public static void unhook() {
    HOOK.set(file -> {});
  }

  /** Fails at every data file from the given one on, counted from 1. */
  static Hook failingAt(int number) {
    AtomicInteger files = new AtomicInteger();
    return file -> {
      if (file.getName().startsWith("data-") && files.incrementAndGet() >= number) {
        throw new IOException("no space");
      }
    };
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public FSDataOutputStream create(
        Path file,
        FsPermission permission,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      HOOK.get().beforeCreate(file);
      return super.create(
          file, permission, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataOutputStream create(
        Path file,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      HOOK.get().beforeCreate(file);
      return super.create(file, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public boolean delete(Path file, boolean recursive) throws IOException {
      HOOK.get().beforeDelete(file);
      return super.delete(file, recursive);
    }
  }
}
