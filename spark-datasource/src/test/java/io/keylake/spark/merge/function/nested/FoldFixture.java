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

package io.keylake.spark.merge.function.nested;

import com.fasterxml.jackson.databind.JsonNode;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.merge.function.ColumnFold;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.spark.testing.JsonRows;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.ColumnRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Folds one column {@code v} of a table {@code t} of a few keys, written as text: {@code add [1]},
 * {@code late [1]}, {@code retract [1]}, {@code reset null}.
 */
final class FoldFixture {
  private final ColumnFold fold;
  private final StructType type;

  private FoldFixture(ColumnFold fold, StructType type) {
    this.fold = fold;
    this.type = type;
  }

  static FoldFixture of(String type, AggregateFunction function) {
    return of(type, new ColumnRule(0, function, false));
  }

  static FoldFixture of(String type, ColumnRule rule) {
    DataField column = JsonRows.columns("v " + type).get(0);
    return new FoldFixture(
        NestedFolds.of("t", column, rule),
        new StructType().add("v", SparkTypes.toSpark("v", column.type())));
  }

  /** The folded value of one key, as canonical text. */
  String fold(String... steps) {
    return foldKeys(List.of(List.of(steps))).get(0);
  }

  /** The folded values of several keys, of one batch. */
  List<String> foldKeys(List<List<String>> keys) {
    int count = keys.stream().mapToInt(List::size).sum();
    WritableColumnVector[] values = {new OnHeapColumnVector(count, type.fields()[0].dataType())};
    RowToColumnConverter converter = new RowToColumnConverter(type);
    FoldSteps steps = new FoldSteps(1);
    int version = 0;
    for (List<String> key : keys) {
      for (String step : key) {
        String[] words = step.split(" ", 2);
        JsonNode json = JsonRows.parse(words[1]);
        converter.convert(
            new GenericInternalRow(
                new Object[] {JsonRows.value(json, type.fields()[0].dataType())}),
            values);
        steps.set(steps.addEntry(version++), 0, step(words[0]));
      }
      steps.endKey();
    }
    WritableColumnVector target = new OnHeapColumnVector(1, type.fields()[0].dataType());
    fold.fold(values[0], steps.lane(0), target);
    return texts(target, keys.size());
  }

  private static byte step(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "add" -> FoldSteps.ADD;
      case "late" -> FoldSteps.ADD_LATE;
      case "retract" -> FoldSteps.RETRACT;
      case "retract-late" -> FoldSteps.RETRACT_LATE;
      case "reset" -> FoldSteps.RESET;
      case "skip" -> FoldSteps.SKIP;
      default -> throw new IllegalArgumentException(word);
    };
  }

  private List<String> texts(WritableColumnVector target, int count) {
    List<String> texts = new ArrayList<>();
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {target}, count);
    for (int row = 0; row < count; row++) {
      StringBuilder text = new StringBuilder();
      CanonicalText.append(text, batch.getRow(row), 0, type.fields()[0].dataType());
      texts.add(text.toString());
    }
    return texts;
  }
}
