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

package io.keylake.spark.file;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.vector.ValueAppender;
import io.keylake.spark.vector.ValueAppenders;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * How the wanted columns come out of a file that was written with another schema version.
 *
 * <ol>
 *   <li>Columns and fields of structs are matched by id, and asked of the file by the file's name.
 *   <li>Where the stored type widens to the wanted one without a change of value, the file's reader
 *       is asked for the wanted type; where it does not, the stored type is read and cast.
 *   <li>A column that the file's schema lacks is no part of the request: it is a constant. A field
 *       of a struct that it lacks is asked for by a name that no file has, which gives NULL.
 *   <li>Columns of the predicate are requested too: Parquet takes a predicate on a column that is
 *       not requested for one on a missing column, and returns no rows.
 * </ol>
 *
 * Rule source: table format, reading files written under another schema version. Pinned by {@code
 * EvolutionTest}.
 *
 * @param request the columns to ask of the file
 * @param sources for each wanted column its place in {@code request}, or -1 when the file lacks it
 * @param casts for each wanted column the cast after reading; null when there is none
 */
record FileProjection(
    List<RequestedColumn> request, List<Integer> sources, List<@Nullable ValueAppender> casts) {

  /** The start of names that no file has. */
  static final String MISSING_PREFIX = "__missing_field_";

  /** The projection of {@code scan}. */
  static FileProjection of(FileScan scan) {
    List<RequestedColumn> request = new ArrayList<>();
    List<Integer> sources = new ArrayList<>();
    List<@Nullable ValueAppender> casts = new ArrayList<>();
    for (DataField wanted : scan.wanted().fields()) {
      DataField stored = stored(scan.fileSchema(), wanted);
      if (stored == null) {
        sources.add(-1);
        casts.add(null);
        continue;
      }
      sources.add(request.size());
      if (Widening.isFree(stored.type(), wanted.type())) {
        casts.add(null);
        request.add(
            new RequestedColumn(stored.name(), stored.type(), direct(stored.type(), wanted)));
      } else {
        DataType pruned = prune(stored.type(), wanted.type());
        casts.add(ValueAppenders.of(wanted.name(), pruned, wanted.type()));
        request.add(
            new RequestedColumn(
                stored.name(), stored.type(), SparkTypes.toSpark(stored.name(), pruned)));
      }
    }
    Predicate predicate = scan.predicate();
    if (predicate != null) {
      addPredicateColumns(predicate, scan.fileSchema(), request);
    }
    return new FileProjection(List.copyOf(request), List.copyOf(sources), casts);
  }

  private static @Nullable DataField stored(TableSchema fileSchema, DataField wanted) {
    if (wanted.id() >= SystemColumns.KEY_ID_OFFSET) {
      return wanted;
    }
    return fileSchema.rowType().fieldById(wanted.id()).orElse(null);
  }

  private static void addPredicateColumns(
      Predicate predicate, TableSchema fileSchema, List<RequestedColumn> request) {
    for (DataField column : FilePredicates.columns(predicate)) {
      DataField stored = stored(fileSchema, column);
      if (stored != null
          && request.stream().noneMatch(other -> other.name().equals(stored.name()))) {
        request.add(
            new RequestedColumn(
                stored.name(), stored.type(), SparkTypes.toSpark(stored.name(), stored.type())));
      }
    }
  }

  /** The request as a row; everything nullable, as files may lack what they are asked for. */
  StructType requestType() {
    StructType type = new StructType();
    for (RequestedColumn column : request) {
      type = type.add(column.name(), column.type(), true);
    }
    return type;
  }

  private static org.apache.spark.sql.types.DataType direct(DataType stored, DataField wanted) {
    return direct(wanted.name(), stored, wanted.type());
  }

  /** The wanted type with the stored names. */
  private static org.apache.spark.sql.types.DataType direct(
      String column, DataType stored, DataType wanted) {
    if (stored instanceof RowType from && wanted instanceof RowType to) {
      return directRow(column, from, to);
    } else if (stored instanceof ArrayType from && wanted instanceof ArrayType to) {
      return new org.apache.spark.sql.types.ArrayType(
          direct(column, from.element(), to.element()), true);
    } else if (stored instanceof MapType from && wanted instanceof MapType to) {
      return new org.apache.spark.sql.types.MapType(
          direct(column, from.key(), to.key()), direct(column, from.value(), to.value()), true);
    } else if (stored instanceof MultisetType from && wanted instanceof MultisetType to) {
      return new org.apache.spark.sql.types.MapType(
          direct(column, from.element(), to.element()),
          org.apache.spark.sql.types.DataTypes.IntegerType,
          true);
    }
    return SparkTypes.toSpark(column, wanted);
  }

  private static StructType directRow(String column, RowType from, RowType to) {
    List<StructField> fields = new ArrayList<>();
    boolean anyStored = false;
    for (DataField field : to.fields()) {
      DataField stored = from.fieldById(field.id()).orElse(null);
      anyStored |= stored != null;
      String path = column + "." + field.name();
      fields.add(
          stored == null
              ? nullable(MISSING_PREFIX + field.id(), SparkTypes.toSpark(path, field.type()))
              : nullable(stored.name(), direct(path, stored.type(), field.type())));
    }
    if (!anyStored && from.size() > 0) {
      // Without one stored field a reader cannot tell a NULL struct from one of NULL fields. It
      // comes last, where nobody who reads fields by position sees it.
      DataField first = from.field(0);
      fields.add(nullable(first.name(), SparkTypes.toSpark(column, first.type())));
    }
    return new StructType(fields.toArray(StructField[]::new));
  }

  private static StructField nullable(String name, org.apache.spark.sql.types.DataType type) {
    return new StructField(name, type, true, org.apache.spark.sql.types.Metadata.empty());
  }

  /** The part of the stored type that the wanted type has use for. */
  private static DataType prune(DataType stored, DataType wanted) {
    if (stored instanceof RowType from && wanted instanceof RowType to) {
      List<DataField> fields = new ArrayList<>();
      for (DataField field : from.fields()) {
        to.fieldById(field.id())
            .ifPresent(kept -> fields.add(field.withType(prune(field.type(), kept.type()))));
      }
      if (fields.isEmpty() && from.size() > 0) {
        fields.add(from.field(0));
      }
      return new RowType(fields, from.nullable());
    } else if (stored instanceof ArrayType from && wanted instanceof ArrayType to) {
      return new ArrayType(prune(from.element(), to.element()), from.nullable());
    } else if (stored instanceof MapType from && wanted instanceof MapType to) {
      return new MapType(from.key(), prune(from.value(), to.value()), from.nullable());
    }
    return stored;
  }
}
