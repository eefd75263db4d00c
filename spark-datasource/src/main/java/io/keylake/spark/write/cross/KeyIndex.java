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

package io.keylake.spark.write.cross;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.util.Utils;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Numbers by key, on local disk. There is one space of keys that is filled first and then shared,
 * and any number of others that one task each fills and drops.
 *
 * <p>Memory is bounded, whatever the number of keys: {@value #CACHE_BYTES} bytes of blocks and
 * {@value #BUFFER_BYTES} bytes of keys that are not on disk yet. Nothing survives {@link #close},
 * which deletes the folder. Safe for many threads, but for what belongs to a {@link Space} or
 * {@link Loader}; none of these may be used after it is closed.
 */
final class KeyIndex implements Closeable {
  /** What {@link Space#find} gives for an unknown key. */
  static final int UNKNOWN = -1;

  private static final long CACHE_BYTES = 128L << 20;
  private static final long BUFFER_BYTES = 128L << 20;
  private static final long SPACE_BUFFER_BYTES = 32L << 20;
  private static final int FILTER_BITS = 10;
  private static final int LOADED_TOGETHER = 2000;

  private final Path folder;
  private final DBOptions options;
  private final ColumnFamilyOptions spaceOptions;
  private final Cache cache;
  private final BloomFilter filter;
  private final WriteOptions writes;
  private final RocksDB store;
  private final Space base;
  private final AtomicLong spaces = new AtomicLong();
  private boolean isClosed;

  /** Makes an empty index in {@code folder}, which is empty and becomes the index's own. */
  KeyIndex(Path folder) throws IOException {
    RocksDB.loadLibrary();
    this.folder = folder;
    this.cache = new LRUCache(CACHE_BYTES);
    this.filter = new BloomFilter(FILTER_BITS);
    this.writes = new WriteOptions().setDisableWAL(true);
    this.options =
        new DBOptions()
            .setCreateIfMissing(true)
            .setDbWriteBufferSize(BUFFER_BYTES)
            .setAvoidFlushDuringShutdown(true)
            .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
            .setKeepLogFileNum(1);
    this.spaceOptions =
        new ColumnFamilyOptions()
            .setWriteBufferSize(SPACE_BUFFER_BYTES)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setCacheIndexAndFilterBlocks(true)
                    .setFilterPolicy(filter));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try {
      this.store =
          RocksDB.open(
              options,
              folder.toString(),
              List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, spaceOptions)),
              handles);
    } catch (RocksDBException e) {
      closeOptions();
      throw failure("open", e);
    }
    this.base = new Space(handles.get(0));
  }

  private IOException failure(String what, RocksDBException cause) {
    return new IOException("Cannot " + what + " the index of keys in " + folder, cause);
  }

  /** The space that all share. */
  Space base() {
    return base;
  }

  /** A space of its own, which the caller closes. */
  synchronized Space newSpace() throws IOException {
    if (isClosed) {
      throw new IllegalStateException("The index of keys in " + folder + " is closed");
    }
    byte[] name = ("task-" + spaces.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
    try {
      return new Space(store.createColumnFamily(new ColumnFamilyDescriptor(name, spaceOptions)));
    } catch (RocksDBException e) {
      throw failure("extend", e);
    }
  }

  /** A way to fill the shared space, for one thread; the caller closes it. */
  Loader loader() {
    return new Loader();
  }

  /** Fills the shared space, many keys at a time. */
  final class Loader implements Closeable {
    private final WriteBatch batch = new WriteBatch();

    /** Notes the number of a key, whose array is copied. */
    void put(byte[] key, int number) throws IOException {
      try {
        batch.put(key, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
      } catch (RocksDBException e) {
        throw failure("fill", e);
      }
      if (batch.count() >= LOADED_TOGETHER) {
        flush();
      }
    }

    /** Makes everything visible that was put. */
    void flush() throws IOException {
      try {
        store.write(writes, batch);
      } catch (RocksDBException e) {
        throw failure("fill", e);
      }
      batch.clear();
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  /** Keys and their numbers. A space may be read by many threads while none writes it. */
  final class Space implements Closeable {
    private final ColumnFamilyHandle handle;

    private Space(ColumnFamilyHandle handle) {
      this.handle = handle;
    }

    /** The number of the key in {@code bytes}, or {@link KeyIndex#UNKNOWN}. */
    int find(byte[] bytes, int offset, int length) throws IOException {
      byte[] number = new byte[Integer.BYTES];
      try {
        int found = store.get(handle, bytes, offset, length, number, 0, Integer.BYTES);
        return found == RocksDB.NOT_FOUND ? UNKNOWN : ByteBuffer.wrap(number).getInt();
      } catch (RocksDBException e) {
        throw failure("read", e);
      }
    }

    /** Notes the number of a key. */
    void put(byte[] bytes, int offset, int length, int number) throws IOException {
      byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
      try {
        store.put(handle, writes, bytes, offset, length, value, 0, Integer.BYTES);
      } catch (RocksDBException e) {
        throw failure("write", e);
      }
    }

    /** Drops the space. */
    @Override
    public void close() throws IOException {
      synchronized (KeyIndex.this) {
        if (isClosed || !handle.isOwningHandle()) {
          return;
        }
        try {
          store.dropColumnFamily(handle);
        } catch (RocksDBException e) {
          throw failure("shrink", e);
        } finally {
          handle.close();
        }
      }
    }
  }

  /** Deletes the index; no space is in use any more. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      base.handle.close();
      store.close();
      closeOptions();
    } finally {
      Utils.deleteRecursively(folder.toFile());
    }
  }

  private void closeOptions() {
    options.close();
    spaceOptions.close();
    writes.close();
    filter.close();
    cache.close();
  }
}
