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

package io.keylake.table.scan;

import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import java.util.Collection;
import java.util.List;

/**
 * What a query wants of a table.
 *
 * @param conjuncts conditions that a wanted row fulfils, all of them; columns in the types of the
 *     schema that is read
 * @param stats whether files keep their statistics in the plan; they do anyway while there are
 *     conditions to prune by
 */
public record ScanFilter(List<Predicate> conjuncts, StatsProjection stats) {
  /** Everything, without statistics. */
  public static final ScanFilter NONE = new ScanFilter(List.of(), StatsProjection.SKIP);

  /** Copies the list. */
  public ScanFilter {
    conjuncts = List.copyOf(conjuncts);
  }

  /** The rows that fulfil all of the predicates. */
  public static ScanFilter of(Collection<? extends Predicate> predicates) {
    return new ScanFilter(Predicates.conjuncts(predicates), StatsProjection.SKIP);
  }

  /** The same, with statistics in the plan: for metadata tables and for pruning again later. */
  public ScanFilter keepingStats() {
    return new ScanFilter(conjuncts, StatsProjection.KEEP);
  }
}
