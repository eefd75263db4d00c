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

package io.keylake.spark.stream.task;

import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeColumn;
import io.keylake.spark.changelog.ChangeColumn.Meta;
import io.keylake.spark.convert.SparkTypes;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * How the columns that are read become those that a query gets. What is read is {@code data}, then
 * {@code metas}; the output is a choice of these.
 *
 * @param data columns of the table, each once
 * @param metas columns that say what a row is
 * @param chosen the place among what is read of each column of the output
 */
public record StreamColumns(StructType data, List<Meta> metas, List<Integer> chosen)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the lists. */
  public StreamColumns {
    metas = List.copyOf(metas);
    chosen = List.copyOf(chosen);
  }

  /**
   * The columns of a query.
   *
   * @param wanted what Spark asks for
   * @param metaColumns columns that say what a row is, by name
   * @param conditions names of the columns that conditions on rows need
   */
  public static StreamColumns of(
      StructType wanted, Map<String, Meta> metaColumns, RowType table, Set<String> conditions) {
    List<StructField> data = new ArrayList<>();
    List<Meta> metas = new ArrayList<>();
    Set<String> missing = new TreeSet<>(conditions);
    for (StructField field : wanted.fields()) {
      Meta meta = metaColumns.get(field.name());
      if (meta == null) {
        data.add(field);
        missing.remove(field.name());
      } else {
        metas.add(meta);
      }
    }
    StructType all = SparkTypes.toSpark(table);
    missing.forEach(name -> data.add(all.apply(name)));
    List<Integer> chosen = new ArrayList<>();
    int nextData = 0;
    int nextMeta = data.size();
    for (StructField field : wanted.fields()) {
      chosen.add(metaColumns.containsKey(field.name()) ? nextMeta++ : nextData++);
    }
    return new StreamColumns(new StructType(data.toArray(StructField[]::new)), metas, chosen);
  }

  /** The same output of rows whose kinds can be looked at: their place is the last one. */
  public StreamColumns withKinds() {
    List<Meta> more = new ArrayList<>(metas);
    more.add(Meta.ROW_KIND);
    return new StreamColumns(data, more, chosen);
  }

  /** The same output behind a first column with the kinds of rows. */
  public StreamColumns leadingWithKinds() {
    List<Integer> more = new ArrayList<>(chosen);
    more.add(0, width());
    return new StreamColumns(data, withKinds().metas, more);
  }

  /** What the columns of the output are, without a leading one. */
  public List<ChangeColumn> outputBehindKinds() {
    List<ChangeColumn> read = read();
    return chosen.subList(1, chosen.size()).stream().map(read::get).toList();
  }

  /** The number of columns that are read. */
  public int width() {
    return data.size() + metas.size();
  }

  /** The columns that are read. */
  public List<ChangeColumn> read() {
    List<ChangeColumn> columns = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      columns.add(new ChangeColumn.Data(i));
    }
    columns.addAll(metas);
    return columns;
  }

  /** The same columns as Spark knows them. */
  public StructType readType() {
    StructType type = data;
    for (int i = 0; i < metas.size(); i++) {
      type = type.add("__meta_" + i, type(metas.get(i)), true);
    }
    return type;
  }

  private static DataType type(Meta meta) {
    return switch (meta) {
      case ROW_KIND, CHANGE_TYPE -> DataTypes.StringType;
      case COMMIT_VERSION, SEQUENCE_NUMBER -> DataTypes.LongType;
      case COMMIT_TIMESTAMP -> DataTypes.TimestampType;
    };
  }
}
