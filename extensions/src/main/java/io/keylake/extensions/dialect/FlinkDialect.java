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

package io.keylake.extensions.dialect;

import io.keylake.extensions.parser.Dialect;
import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TextEdits;
import io.keylake.extensions.parser.TokenCursor;
import java.util.Optional;
import org.apache.spark.sql.catalyst.parser.ParseException;

/**
 * The SQL of Flink, as pipelines over such tables are written in. Only statements on tables of ours
 * are read, and only the parts that Spark has no syntax for; see {@code docs/sql-dialect.md}.
 */
public final class FlinkDialect implements Dialect {
  @Override
  public Optional<Rewritten> rewrite(String text, StatementScope scope) throws ParseException {
    TextEdits edits = new TextEdits(text);
    CreateTable.rewrite(new TokenCursor(text), edits, scope);
    AlterTable.rewrite(new TokenCursor(text), edits, scope);
    TargetOptions target = Relations.rewrite(new TokenCursor(text), edits, scope);
    Constructors.rewrite(new TokenCursor(text), edits);
    Casts.rewrite(new TokenCursor(text), edits);
    return edits.isEmpty() ? Optional.empty() : Optional.of(new Rewritten(edits, target::applied));
  }
}
