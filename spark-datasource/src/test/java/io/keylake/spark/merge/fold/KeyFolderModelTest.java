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

package io.keylake.spark.merge.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.spark.merge.fold.FoldCase.Line;
import io.keylake.spark.merge.fold.FoldTable.Filling;
import io.keylake.spark.merge.fold.RowModel.Deletes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random tables and rows, folded by columns and by a model of rows. The seed is printed; {@code
 * -Dkeylake.test.seed=N} repeats a run.
 */
final class KeyFolderModelTest {
  private static final int TABLES = 150;
  private static final int KEYS = 30;
  private static final List<String> NUMBERS =
      List.of(
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DECIMAL(9,2)",
          "DECIMAL(20,2)");
  private static final List<String> CHOICES =
      List.of("last_value", "last_non_null_value", "first_value", "first_non_null_value");

  private final long seed = Long.getLong("keylake.test.seed", 14);
  private final Random random = new Random(seed);

  /** A table that is made up column by column. */
  private final class Draft {
    private final List<ValueModel> models = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private final List<String> functions = new ArrayList<>();
    private final List<String> columns = new ArrayList<>();
    private final StringBuilder options;

    Draft(String engine) {
      options = new StringBuilder("merge-engine=").append(engine);
    }

    String name() {
      return "c" + columns.size();
    }

    int add(String type, String function, boolean skipsRetracts) {
      String name = name();
      columns.add(name + " " + type);
      types.add(type);
      functions.add(function);
      models.add(new ValueModel(type, function, skipsRetracts));
      return columns.size() - 1;
    }

    /** A column with a random function; retracts are passed over when it knows none. */
    int addRandom(boolean retracts) {
      List<String> functions = new ArrayList<>(CHOICES);
      String type = pick(NUMBERS);
      switch (random.nextInt(4)) {
        case 0 -> {
          type = "STRING";
          functions.addAll(List.of("max", "min", "listagg", "list", "listagg", "list"));
        }
        case 1 -> {
          type = "BOOLEAN";
          functions.addAll(List.of("bool_and", "bool_or", "bool_and", "bool_or"));
        }
        default -> functions.addAll(List.of("max", "min", "sum", "product", "sum", "product"));
      }
      String function = pick(functions);
      boolean canRetract =
          List.of("sum", "product", "last_value", "last_non_null_value").contains(function);
      boolean skips = retracts && (!canRetract || random.nextInt(4) == 0);
      String field = "; fields." + name();
      options.append(field).append(".aggregate-function=");
      options.append(function.equals("list") ? "listagg" : function);
      if (function.equals("list")) {
        options.append(field).append(".distinct=true");
      }
      if (skips) {
        options.append(field).append(".ignore-retract=true");
      }
      return add(type, function, skips);
    }

    FoldTable table() {
      return new FoldTable(String.join(", ", columns), options.toString());
    }

    Line line(List<String> retracts) {
      String kind =
          retracts.isEmpty() || random.nextInt(3) > 0 ? pick(List.of("+I", "+U")) : pick(retracts);
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        cells.add(cell(types.get(i), functions.get(i)));
      }
      return new Line(kind, cells);
    }
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String cell(String type, String function) {
    if (random.nextInt(4) == 0) {
      return "null";
    }
    // Powers of two, so that every quotient is exact.
    int number = 1 << random.nextInt(4);
    int signed = random.nextBoolean() ? number : -number;
    return switch (type) {
      case "STRING" ->
          function.equals("list") || function.equals("listagg")
              ? pick(List.of("''", "a", "b", "c", "a,b", "b,,c", "ä"))
              : pick(List.of("a", "b", "c", "ä"));
      case "BOOLEAN" -> Boolean.toString(random.nextBoolean());
      case "FLOAT", "DOUBLE" -> signed + (random.nextBoolean() ? ".5" : ".0");
      case "DECIMAL(9,2)", "DECIMAL(20,2)" -> signed + ".00";
      default -> Integer.toString(signed);
    };
  }

  private void check(Draft draft, RowModel model, List<String> retracts) {
    FoldTable table = draft.table();
    List<List<Line>> keys = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      List<Line> lines =
          Stream.generate(() -> draft.line(retracts)).limit(1 + random.nextInt(6)).toList();
      keys.add(lines);
      List<String> cells = model.fold(lines);
      expected.add(cells.get(0) + " " + table.json(key, cells.subList(1, cells.size()), ""));
    }
    for (Filling filling : Filling.values()) {
      assertThat(table.fold(keys, filling))
          .as(
              "-Dkeylake.test.seed="
                  + seed
                  + " "
                  + draft.columns
                  + ", "
                  + draft.options
                  + ", "
                  + keys)
          .isEqualTo(expected);
    }
  }

  @Test
  void aggregationFoldsLikeTheModel() {
    for (int i = 0; i < TABLES; i++) {
      Draft draft = new Draft("aggregation");
      Deletes deletes = pick(List.of(Deletes.NONE, Deletes.REMOVE));
      boolean retracts = random.nextInt(3) > 0;
      if (deletes == Deletes.REMOVE) {
        draft.options.append("; aggregation.remove-record-on-delete=true");
      }
      for (int column = 0; column < 6; column++) {
        draft.addRandom(retracts && deletes == Deletes.NONE);
      }
      // With remove-record-on-delete no function can be told to pass retracts over.
      check(
          draft,
          RowModel.aggregation(draft.models, deletes),
          !retracts ? List.of() : deletes == Deletes.REMOVE ? List.of("-D") : List.of("-U", "-D"));
    }
  }

  @Test
  void partialUpdateFoldsLikeTheModel() {
    for (int i = 0; i < TABLES; i++) {
      Draft draft = new Draft("partial-update");
      Deletes deletes = pick(List.of(Deletes.NONE, Deletes.IGNORE, Deletes.REMOVE));
      boolean grouped = deletes != Deletes.REMOVE && random.nextInt(4) > 0;
      boolean retracts = deletes != Deletes.NONE || grouped;
      if (deletes != Deletes.NONE) {
        draft.options.append(
            deletes == Deletes.IGNORE
                ? "; ignore-delete=true"
                : "; partial-update.remove-record-on-delete=true");
      }
      draft.add(pick(NUMBERS), "last_non_null_value", false);
      List<RowModel.Group> groups = new ArrayList<>();
      for (int group = 0; grouped && group < 2; group++) {
        groups.add(group(draft, deletes));
      }
      draft.add("STRING", "last_non_null_value", false);
      check(
          draft,
          RowModel.partialUpdate(draft.models, groups, deletes),
          retracts ? List.of("-U", "-D") : List.of());
    }
  }

  private RowModel.Group group(Draft draft, Deletes deletes) {
    List<Integer> fields = new ArrayList<>();
    List<Integer> members = new ArrayList<>();
    members.add(draft.add(pick(NUMBERS), "", false));
    members.add(draft.addRandom(true));
    fields.add(draft.add("INT", "", false));
    if (random.nextBoolean()) {
      fields.add(draft.add("INT", "", false));
    }
    members.add(draft.add("STRING", "", false));
    members.add(draft.addRandom(true));
    String names = names(fields);
    draft.options.append("; fields.").append(names).append(".sequence-group=");
    draft.options.append(names(members));
    boolean removes = deletes == Deletes.NONE && random.nextInt(3) == 0;
    if (removes && !draft.options.toString().contains("remove-record-on-sequence-group")) {
      draft.options.append("; partial-update.remove-record-on-sequence-group=").append(names);
      return new RowModel.Group(fields, members, true);
    }
    return new RowModel.Group(fields, members, false);
  }

  private static String names(List<Integer> places) {
    return String.join(",", places.stream().map(place -> "c" + place).toList());
  }
}
