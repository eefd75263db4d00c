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

package io.keylake.procedures.report;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The parts of a report that are tables: columns, options, snapshots.
 *
 * @param facts the table
 * @param times how times are written
 */
record TableSections(TableFacts facts, DateTimeFormatter times) {
  private static final int TEXT = 300;

  void columns(Markup out, int most) {
    TableSchema schema = facts.schema();
    out.element("h2", "Columns");
    out.open("table").open("tr");
    List.of("Column", "Type", "", "Default", "Comment").forEach(name -> out.element("th", name));
    out.close("tr").line();
    for (DataField field : schema.fields().subList(0, Math.min(most, schema.fields().size()))) {
      out.open("tr").open("td").element("code", field.name()).close("td");
      out.element("td", type(field)).open("td");
      if (schema.primaryKeys().contains(field.name())) {
        out.element("span", "primary key", "class", "badge");
      }
      if (schema.partitionKeys().contains(field.name())) {
        out.element("span", "partition", "class", "badge part");
      }
      out.close("td");
      out.element("td", field.defaultValue() == null ? "" : shortened(field.defaultValue()));
      out.element("td", field.description() == null ? "" : shortened(field.description()));
      out.close("tr").line();
    }
    out.close("table").line();
    if (schema.fields().size() > most) {
      out.element("p", "and " + Quantities.count(schema.fields().size() - most, "more column"));
    }
    out.element("p", keys(schema));
  }

  private static String type(DataField field) {
    String type = SparkTypes.toSpark(field.name(), field.type()).sql();
    return shortened(field.type().nullable() ? type : type + " NOT NULL");
  }

  private static String keys(TableSchema schema) {
    String partitions =
        schema.partitionKeys().isEmpty()
            ? ""
            : ", partitioned by (" + String.join(", ", schema.partitionKeys()) + ")";
    return schema.hasPrimaryKey()
        ? "Primary key (" + String.join(", ", schema.primaryKeys()) + ")" + partitions + "."
        : "An append table" + partitions + ".";
  }

  void options(Markup out) {
    out.element("h2", "Options");
    if (facts.options().isEmpty()) {
      out.element("p", "None is set.");
      return;
    }
    out.open("table").line();
    for (Map.Entry<String, String> option : facts.options().entrySet()) {
      out.open("tr").open("td").element("code", option.getKey()).close("td");
      out.element("td", shortened(option.getValue())).close("tr").line();
    }
    out.close("table").line();
  }

  void snapshots(Markup out, int most) {
    List<Snapshot> newest = facts.history().newest();
    out.element("h2", "Snapshots");
    if (newest.isEmpty()) {
      out.element("p", "There is none yet: no row was ever written.");
      return;
    }
    out.open("table").open("tr");
    List.of("Snapshot", "Time", "What").forEach(name -> out.element("th", name));
    List.of("Rows changed", "Stored rows").forEach(name -> out.element("th", name, "class", "n"));
    out.close("tr").line();
    for (int i = newest.size() - 1; i >= Math.max(0, newest.size() - most); i--) {
      Snapshot snapshot = newest.get(i);
      out.open("tr").element("td", Long.toString(snapshot.id()));
      out.element("td", times.format(Instant.ofEpochMilli(snapshot.timeMillis())));
      out.element("td", operation(snapshot));
      out.element("td", signed(snapshot.deltaRecordCount()), "class", "n");
      out.element("td", Quantities.count(snapshot.totalRecordCount()), "class", "n");
      out.close("tr").line();
    }
    out.close("table").line();
    int older = facts.history().count() - Math.min(most, newest.size());
    if (older > 0) {
      out.element("p", "and " + Quantities.count(older, "older one"));
    }
  }

  /** What a snapshot did: the statement where that is known. */
  static String operation(Snapshot snapshot) {
    String statement = snapshot.properties().get(Snapshot.OPERATION);
    String kind = snapshot.commitKind().name().toLowerCase(Locale.ROOT);
    return statement == null ? kind : statement.toLowerCase(Locale.ROOT) + " (" + kind + ")";
  }

  static String signed(long change) {
    return (change > 0 ? "+" : "") + Quantities.count(change);
  }

  private static String shortened(String text) {
    return text.length() <= TEXT ? text : text.substring(0, TEXT) + "…";
  }
}
