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

package io.keylake.catalog;

import java.util.Optional;

/**
 * What a table identifier names: a table, one of its branches, or a metadata table of either. The
 * written form is {@code table[$branch_<branch>][$<metadata table>]}.
 *
 * @param database the database
 * @param table the table
 * @param branch the branch, empty for the main one
 * @param metadataTable the metadata table, empty for the table itself
 */
record LakeName(
    String database, String table, Optional<String> branch, Optional<String> metadataTable) {
  private static final String BRANCH_PREFIX = "branch_";

  /** The name that {@code written} stands for; empty when it is not of the written form. */
  static Optional<LakeName> parse(String database, String written) {
    String[] parts = written.split("\\$", -1);
    Optional<String> branch = Optional.empty();
    int next = 1;
    if (parts.length > 1 && parts[1].startsWith(BRANCH_PREFIX)) {
      branch = Optional.of(parts[1].substring(BRANCH_PREFIX.length()));
      next = 2;
    }
    Optional<String> metadata = Optional.empty();
    if (parts.length > next) {
      metadata = Optional.of(parts[next]);
      next++;
    }
    boolean valid =
        parts.length == next
            && ObjectNames.isValid(database)
            && ObjectNames.isValid(parts[0])
            && branch.map(ObjectNames::isValid).orElse(true)
            && metadata.map(ObjectNames::isValid).orElse(true);
    return valid
        ? Optional.of(new LakeName(database, parts[0], branch, metadata))
        : Optional.empty();
  }

  /** Whether it names a table, not one of its branches or metadata tables. */
  boolean isPlain() {
    return branch.isEmpty() && metadataTable.isEmpty();
  }

  /** The same table without metadata table. */
  LakeName withoutMetadataTable() {
    return new LakeName(database, table, branch, Optional.empty());
  }

  /** This metadata table of the same table. */
  LakeName withMetadataTable(String name) {
    return new LakeName(database, table, branch, Optional.of(name));
  }

  /** The name within the database, as it is written. */
  String written() {
    return table
        + branch.map(name -> "$" + BRANCH_PREFIX + name).orElse("")
        + metadataTable.map(name -> "$" + name).orElse("");
  }

  @Override
  public String toString() {
    return database + "." + written();
  }
}
