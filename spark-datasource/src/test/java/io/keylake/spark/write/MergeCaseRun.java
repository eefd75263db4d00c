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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.spark.write.MergeCase.Action;
import io.keylake.spark.write.MergeCase.Step;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/**
 * Runs a case three times: written by us and then compacted by the reference, written by us and
 * then compacted by us, written by the reference and then compacted by us. After each step both
 * read the table, and its rows must be the expected ones. Runs inside a Spark task.
 */
final class MergeCaseRun {
  /** Who does what. */
  enum Roles {
    OURS_THEN_REFERENCE,
    OURS,
    REFERENCE_THEN_OURS
  }

  private final MergeCase merge;
  private final Roles roles;
  private final WriteTarget target;
  private final ReferenceTable reference;

  MergeCaseRun(Path warehouse, String name, MergeCase merge, Roles roles) {
    this.merge = merge;
    this.roles = roles;
    this.target = WriteFixture.create(warehouse.resolve("db.db/" + name), merge.schema());
    this.reference = ReferenceTable.of(warehouse.toString(), "db", name);
  }

  void run() throws Exception {
    List<Step> steps = merge.steps();
    Step last = null;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (i + 1 < steps.size() && steps.get(i + 1).action() == Action.ERROR) {
        assertError(step, steps.get(i + 1));
        return;
      }
      try {
        carryOut(step);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("Line " + step.line() + ": " + e, e);
      }
      last = isExpected(step) ? step : last;
    }
    if (last != null) {
      end(last);
    }
  }

  /** Whether a step says what comes out for the one who writes. */
  private boolean isExpected(Step step) {
    return switch (step.action()) {
      case EXPECT -> merge.deviation() == null || roles != Roles.REFERENCE_THEN_OURS;
      case EXPECT_BY_REFERENCE -> roles == Roles.REFERENCE_THEN_OURS;
      case EXPECT_AFTER_COMPACTION -> true;
      case DEFINE, WRITE, COMPACT_FULL, COMPACT_MINOR, ERROR -> false;
    };
  }

  private void carryOut(Step step) throws Exception {
    switch (step.action()) {
      case WRITE -> write(step);
      case COMPACT_FULL -> compact(Extent.FULL);
      case COMPACT_MINOR -> compact(Extent.MINOR);
      case EXPECT, EXPECT_BY_REFERENCE -> {
        if (isExpected(step)) {
          check(step);
        }
      }
      case EXPECT_AFTER_COMPACTION -> {}
      case DEFINE, ERROR -> throw new IllegalArgumentException("No error follows");
    }
  }

  private void write(Step step) throws Exception {
    if (roles == Roles.REFERENCE_THEN_OURS) {
      reference.write(merge.lines(step));
    } else {
      CaseWrite.write(target, merge.lines(step));
    }
  }

  private void compact(Extent extent) throws Exception {
    if (roles != Roles.REFERENCE_THEN_OURS) {
      InlineCompaction.run(target, extent, 1 << 30);
    } else if (extent == Extent.FULL) {
      reference.compactFully();
    } else {
      reference.compactIfDue();
    }
  }

  private void check(Step step) throws Exception {
    List<String> expected = merge.texts(step);
    if (step.action() == Action.EXPECT_BY_REFERENCE) {
      assertThat(theirs()).as("rows of the reference").isEqualTo(expected);
      return;
    }
    assertThat(ours(Map.of())).as("our rows").isEqualTo(expected);
    if (hidesLevel0()) {
      assertThat(theirs())
          .as("rows of the reference and of our compacted view")
          .isEqualTo(ours(Map.of("scan.visibility", "compacted")));
    } else if (merge.deviation() == null) {
      assertThat(theirs()).as("rows of the reference").isEqualTo(expected);
    }
  }

  /** The other one, or we, compact everything; the rows stay. */
  private void end(Step last) throws Exception {
    boolean deviates = merge.deviation() != null && roles != Roles.OURS;
    if (deviates && last.action() != Action.EXPECT_AFTER_COMPACTION) {
      assertThat(problems()).as("problems, says the reference").isEmpty();
      return;
    }
    if (roles == Roles.OURS_THEN_REFERENCE) {
      assertThat(problems()).as("problems, says the reference").isEmpty();
      reference.compactFully();
    } else {
      InlineCompaction.run(target, Extent.FULL, 1 << 30);
    }
    List<String> expected = merge.texts(last);
    assertThat(ours(Map.of())).as("our rows after all was compacted").isEqualTo(expected);
    if (merge.deviation() == null) {
      assertThat(theirs()).as("rows of the reference, compacted").isEqualTo(expected);
    }
    SoundTable.check(lake(Map.of()));
  }

  /**
   * Problems of files and metadata; a deviation may be that the reference cannot merge the rows.
   */
  private List<String> problems() throws Exception {
    List<String> problems = reference.problems();
    return merge.deviation() == null
        ? problems
        : problems.stream().filter(problem -> !problem.startsWith("PROBLEM snapshot")).toList();
  }

  private void assertError(Step step, Step error) {
    if (roles == Roles.REFERENCE_THEN_OURS) {
      if (merge.deviation() == null && step.action() != Action.DEFINE) {
        assertThat(catchThrowable(orRead(step, this::theirs))).as("of the reference").isNotNull();
      }
      return;
    }
    ThrowingCallable call =
        step.action() == Action.DEFINE ? this::define : orRead(step, () -> ours(Map.of()));
    assertThat(rootOf(catchThrowable(call)))
        .as("line %d", error.line())
        .isInstanceOfSatisfying(
            TableException.class,
            e -> assertThat(e.condition()).isEqualTo(Condition.valueOf(error.argument())));
  }

  private interface Reading {
    List<String> rows() throws Exception;
  }

  private ThrowingCallable orRead(Step step, Reading reading) {
    return () -> {
      if (step.action() != Action.DEFINE) {
        carryOut(step);
      }
      reading.rows();
    };
  }

  private void define() {
    CaseWrite.define(merge.schema());
  }

  private static @Nullable Throwable rootOf(@Nullable Throwable failure) {
    Throwable root = failure;
    while (root != null && !(root instanceof TableException) && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private boolean hidesLevel0() {
    return "first-row".equals(merge.options().get("merge-engine"))
        || "true".equals(merge.options().get("deletion-vectors.enabled"));
  }

  private List<String> ours(Map<String, String> options) throws Exception {
    return sorted(TableRows.of(lake(options)));
  }

  private List<String> theirs() throws Exception {
    return sorted(reference.rows());
  }

  private List<String> sorted(List<String> rows) {
    List<String> sorted = new ArrayList<>(rows.stream().map(merge::normalized).toList());
    sorted.sort(null);
    return sorted;
  }

  private LakeTable lake(Map<String, String> options) {
    return LakeTable.find(target.storage()).orElseThrow().withOptions(options);
  }
}
