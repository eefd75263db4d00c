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

package io.keylake.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.keylake.architecture.ArchitectureRules;
import io.keylake.architecture.ImportOrder;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.mainClasses("io.keylake.spark");

  @Test
  void sharedRulesHold() {
    ArchitectureRules.checkEverywhere(CLASSES);
  }

  @Test
  void packagesFollowTheImportOrder() {
    ImportOrder.of("io.keylake.spark")
        .then("convert")
        .then("vector")
        .then("file")
        .then("merge")
        .then("sort")
        .then("lookup")
        .then("changelog")
        .then("compaction")
        .then("staged")
        .then("conf")
        .then("schema")
        .then("maintenance")
        .then("transfer")
        .then("read", "write", "metadata")
        .then("rowlevel", "stream")
        .then("")
        .rule()
        .check(CLASSES);
  }

  @Test
  void dataPlaneKnowsNoPlanner() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.keylake.spark.convert..",
            "io.keylake.spark.vector..",
            "io.keylake.spark.file..",
            "io.keylake.spark.merge..",
            "io.keylake.spark.sort..",
            "io.keylake.spark.lookup..",
            "io.keylake.spark.changelog..",
            "io.keylake.spark.compaction..",
            "io.keylake.spark.staged..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.spark.sql.SparkSession")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.spark.sql.classic..",
            "org.apache.spark.sql.catalyst.plans..",
            "org.apache.spark.sql.catalyst.optimizer..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.apache.spark.sql.execution.SparkPlan")
        .because("the data plane runs in tasks and in tests without a session")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    ArchitectureRules.noCycles("io.keylake.spark").check(CLASSES);
  }
}
