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

package io.keylake.spark.stream;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.ReadConf;
import io.keylake.spark.conf.TableName;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.ReadSupport;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The table that a query reads, as it was when the query began.
 *
 * @param name the table
 * @param storage its files, on the branch that is read
 * @param schema the columns the query sees
 * @param conf settings
 * @param view what the query sees of changes
 */
public record StreamTarget(
    TableName name, TableStorage storage, TableSchema schema, ReadConf conf, StreamView view) {
  /**
   * A table with the options of a query.
   *
   * @throws io.keylake.format.errors.TableException when one of them means nothing to a stream, or
   *     rows would be misread
   */
  public static StreamTarget of(
      TableName name,
      TableStorage storage,
      TableSchema schema,
      CaseInsensitiveStringMap statement,
      StreamView view) {
    StreamOptions.check(name, statement, view);
    ReadConf conf = ReadConf.of(name, schema, statement);
    ReadSupport.check(schema, name.text());
    return new StreamTarget(name, storage, schema, conf, view);
  }

  /** The options that hold for the query. */
  TableOptions options() {
    return conf.options();
  }

  /** For plan texts. */
  String describe() {
    String branch = storage.layout().isMainBranch() ? "" : ", branch=" + storage.layout().branch();
    return "Keylake stream of " + name.text() + branch;
  }
}
