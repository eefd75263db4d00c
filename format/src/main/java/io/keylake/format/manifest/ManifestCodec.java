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

package io.keylake.format.manifest;

import io.keylake.format.row.BinaryRow;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a manifest: an Avro container of entries of version 2, in order {@code _VERSION},
 * {@code _KIND}, {@code _PARTITION}, {@code _BUCKET}, {@code _TOTAL_BUCKETS}, {@code _FILE}. Fields
 * are found by name, unknown ones are skipped.
 *
 * <p>Rule source: table format, manifest file record; pinned by {@code GoldenManifestTest}.
 */
public final class ManifestCodec {
  /** The version of the records. */
  static final int VERSION = 2;

  private ManifestCodec() {}

  /** All entries of a manifest with all they hold. */
  public static List<ManifestEntry> read(byte[] content, String path) {
    return read(content, path, StatsProjection.KEEP, EntryFilter.ALL);
  }

  /** The wanted entries of a manifest, in order. */
  public static List<ManifestEntry> read(
      byte[] content, String path, StatsProjection stats, EntryFilter filter) {
    return AvroContainer.read(content, path, new EntryReader(path, stats, filter));
  }

  /** A manifest of these entries. */
  public static byte[] write(List<ManifestEntry> entries, int zstdLevel) {
    AvroContainer.Writer<ManifestEntry> writer = writer(zstdLevel);
    entries.forEach(writer::add);
    return writer.finish();
  }

  static AvroContainer.Writer<ManifestEntry> writer(int zstdLevel) {
    return new AvroContainer.Writer<>(ManifestFields.ENTRY, zstdLevel, ManifestCodec::write);
  }

  private static void write(ManifestEntry entry, Encoder out) throws IOException {
    out.writeInt(VERSION);
    out.writeInt(entry.kind().code());
    AvroFields.row(entry.partition(), out);
    out.writeInt(entry.bucket());
    out.writeInt(entry.totalBuckets());
    DataFileRecord.write(entry.file(), out);
  }

  private static final class EntryReader implements AvroContainer.RecordReader<ManifestEntry> {
    private final String path;
    private final StatsProjection stats;
    private final EntryFilter filter;
    private final DataFileRecord file = new DataFileRecord();
    private BinaryRow partition = BinaryRow.EMPTY;

    EntryReader(String path, StatsProjection stats, EntryFilter filter) {
      this.path = path;
      this.stats = stats;
      this.filter = filter;
    }

    @Override
    public @Nullable ManifestEntry read(Schema schema, AvroValues in) throws IOException {
      int kind = -1;
      int bucket = Integer.MIN_VALUE;
      int totalBuckets = Integer.MIN_VALUE;
      boolean partitionRead = false;
      boolean fileRead = false;
      for (Schema.Field field : schema.getFields()) {
        switch (field.name()) {
          case ManifestFields.VERSION ->
              AvroContainer.checkVersion(in.intValue(field.schema()), VERSION, path);
          case ManifestFields.KIND -> kind = in.intValue(field.schema());
          case ManifestFields.PARTITION -> {
            partition = shared(in.row(field.schema()));
            partitionRead = true;
          }
          case ManifestFields.BUCKET -> bucket = in.intValue(field.schema());
          case ManifestFields.TOTAL_BUCKETS -> totalBuckets = in.intValue(field.schema());
          case ManifestFields.FILE -> {
            boolean known =
                partitionRead && bucket != Integer.MIN_VALUE && totalBuckets != Integer.MIN_VALUE;
            fileRead = !known || filter.keepsBucket(partition, bucket, totalBuckets);
            if (fileRead) {
              file.read(field.schema(), in, stats);
            } else {
              in.skip(field.schema());
            }
          }
          default -> in.skip(field.schema());
        }
      }
      boolean wanted =
          fileRead
              && filter.keepsBucket(partition, bucket, totalBuckets)
              && filter.keepsLevel(file.level());
      return wanted
          ? new ManifestEntry(
              EntryKind.ofCode(kind), partition, bucket, totalBuckets, file.toDataFile())
          : null;
    }

    private BinaryRow shared(BinaryRow read) {
      return read.equals(partition) ? partition : read;
    }
  }
}
