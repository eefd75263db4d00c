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

package io.keylake.spark.metadata;

import io.keylake.format.errors.TableException;
import io.keylake.spark.convert.SparkErrors;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A read-only table whose rows are made on the driver when they are read.
 *
 * @param <T> what a row is made of
 */
final class MetadataRelation<T> implements SupportsRead {
  private final String name;
  private final List<MetadataField<T>> fields;
  private final Supplier<? extends Iterable<T>> rows;

  MetadataRelation(
      String name, List<MetadataField<T>> fields, Supplier<? extends Iterable<T>> rows) {
    this.name = name;
    this.fields = List.copyOf(fields);
    this.rows = rows;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Column[] columns() {
    return fields.stream()
        .map(
            field ->
                Column.create(
                    field.type().name(), field.type().dataType(), field.type().nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new Builder();
  }

  private final class Builder implements SupportsPushDownRequiredColumns {
    private List<MetadataField<T>> wanted = fields;

    @Override
    public void pruneColumns(StructType required) {
      List<MetadataField<T>> kept = new ArrayList<>();
      for (StructField column : required.fields()) {
        fields.stream()
            .filter(field -> field.type().name().equals(column.name()))
            .forEach(kept::add);
      }
      wanted = kept;
    }

    @Override
    public Scan build() {
      return new MetadataScan<>(name, wanted, rows);
    }
  }

  private record MetadataScan<T>(
      String name, List<MetadataField<T>> fields, Supplier<? extends Iterable<T>> source)
      implements LocalScan {
    @Override
    public StructType readSchema() {
      return new StructType(fields.stream().map(MetadataField::type).toArray(StructField[]::new));
    }

    @Override
    public String description() {
      return "metadata of " + name;
    }

    @Override
    public InternalRow[] rows() {
      List<InternalRow> rows = new ArrayList<>();
      try {
        for (T item : source.get()) {
          Object[] values = new Object[fields.size()];
          for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).value().apply(item);
          }
          rows.add(new GenericInternalRow(values));
        }
      } catch (TableException e) {
        throw SparkErrors.toSpark(e);
      }
      return rows.toArray(InternalRow[]::new);
    }
  }
}
