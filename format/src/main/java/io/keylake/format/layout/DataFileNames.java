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

package io.keylake.format.layout;

import io.keylake.format.fileio.Ids;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * New names for the data and changelog files of one writer (of one partition and bucket): {@code
 * data-<uuid>-<n>.<extension>}, one uuid and one counter for all. Safe for use by many threads.
 *
 * <p>A reader takes the format from the name, so the extension decides how a file is read: the text
 * after the last dot, or the part before it when the last part is a compression.
 *
 * <p>Rule source: table format, file names. Pinned by {@code FileNamesTest}.
 */
public final class DataFileNames {
  /** The prefix of data files unless the table says otherwise. */
  public static final String DATA_PREFIX = "data-";

  /** The prefix of changelog files unless the table says otherwise. */
  public static final String CHANGELOG_PREFIX = "changelog-";

  private static final String WRITER_END = "-w-";

  private static final Set<String> COMPRESSIONS =
      Set.of("gz", "gzip", "bz2", "deflate", "snappy", "lz4", "lzo", "zst", "zstd");

  private final String id;
  private final AtomicInteger counter = new AtomicInteger();

  /** Takes one identifier for all names. */
  public DataFileNames(Ids ids) {
    this.id = ids.next();
  }

  private DataFileNames(String id) {
    this.id = id;
  }

  /**
   * Names of a writer into the postpone bucket: the identifier carries the commit user and the
   * number of the write task, so that a reader can keep the order of one writer's files.
   */
  public static DataFileNames postponed(String commitUser, int writeId, Ids ids) {
    return new DataFileNames("-u-" + commitUser + "-s-" + writeId + WRITER_END + ids.next());
  }

  /** A new name; {@code extension} is the format, such as {@code parquet}. */
  public String next(String prefix, String extension) {
    return prefix + id + "-" + counter.getAndIncrement() + "." + extension;
  }

  /**
   * A new name for a copy of a data file. The extension stays, and so does what tells who has
   * staged a file.
   *
   * @param prefix the prefix of data files in the table
   */
  public String nextCopy(String prefix, String original) {
    String format = formatOf(original);
    String suffix =
        format.isEmpty()
            ? ""
            : original.substring(original.toLowerCase(Locale.ROOT).lastIndexOf("." + format));
    int writer = original.lastIndexOf(WRITER_END);
    String start = writer < 0 ? prefix : original.substring(0, writer + WRITER_END.length());
    return start + id + "-" + counter.getAndIncrement() + suffix;
  }

  /** The name of the index file of a data file. */
  public static String fileIndex(String dataFileName) {
    return dataFileName + ".index";
  }

  /** The format of a data file, in lower case; empty when the name has no extension. */
  public static String formatOf(String fileName) {
    int lastDot = fileName.lastIndexOf('.');
    if (lastDot < 0) {
      return "";
    }
    String last = fileName.substring(lastDot + 1).toLowerCase(Locale.ROOT);
    int dotBefore = fileName.lastIndexOf('.', lastDot - 1);
    return COMPRESSIONS.contains(last) && dotBefore >= 0
        ? fileName.substring(dotBefore + 1, lastDot).toLowerCase(Locale.ROOT)
        : last;
  }
}
