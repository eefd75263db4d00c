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

package io.keylake.catalog.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots expire while the files that they name are searched for orphans. */
final class OrphansDuringExpirySparkTest {
  private static final AtomicInteger MISSES = new AtomicInteger();

  @TempDir private Path warehouse;

  /** Local files, but manifests are missing as often as {@link #MISSES} says. */
  public static final class ForgetfulFileSystem extends LocalFileSystem {
    /** Made by Hadoop. */
    public ForgetfulFileSystem() {
      super(new Raw());
    }

    private static final class Raw extends RawLocalFileSystem {
      @Override
      public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferSize)
          throws IOException {
        if (file.getName().matches("manifest-[0-9a-f]{8}-.*")
            && MISSES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          throw new FileNotFoundException(file + " has expired");
        }
        return super.open(file, bufferSize);
      }
    }
  }

  @AfterEach
  void missNothing() {
    MISSES.set(0);
  }

  private SharedSpark spark() {
    SharedSpark spark =
        SharedSpark.over(
            warehouse,
            Map.of(
                "hadoop.fs.file.impl",
                ForgetfulFileSystem.class.getName(),
                "hadoop.fs.file.impl.disable.cache",
                "true"));
    spark.run("CREATE TABLE t (v INT)", "INSERT INTO t VALUES (1)");
    return spark;
  }

  private Path orphan() throws IOException {
    Path orphan = warehouse.resolve("db.db/t/bucket-0/data-lost-0.parquet");
    Files.writeString(orphan, "nobody names this");
    Files.setLastModifiedTime(orphan, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
    return orphan;
  }

  @Test
  void theVersionsAreReadAnewWhenAManifestHasGone() throws Exception {
    SharedSpark spark = spark();
    Path orphan = orphan();
    // A task is tried twice; so the first two searches fail.
    MISSES.set(4);
    assertThat(spark.rows("CALL lake.sys.remove_orphan_files(table => 't')"))
        .containsExactly("1,17,0");
    assertThat(MISSES).hasValue(0);
    assertThat(orphan).doesNotExist();
  }

  @Test
  void theFileThatStaysAwayIsNamedAndNothingIsDeleted() throws Exception {
    SharedSpark spark = spark();
    Path orphan = orphan();
    MISSES.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> spark.rows("CALL lake.sys.remove_orphan_files(table => 't')"))
        .hasMessageStartingWith("[KEYLAKE_CORRUPT_FILE]")
        .hasMessageContaining("A metadata file is missing");
    assertThat(orphan).exists();
  }
}
