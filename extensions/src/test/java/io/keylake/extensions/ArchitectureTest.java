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

package io.keylake.extensions;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.keylake.architecture.ArchitectureRules;
import io.keylake.architecture.ImportOrder;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses CLASSES = ArchitectureRules.mainClasses("io.keylake.extensions");

  @Test
  void sharedRulesHold() {
    ArchitectureRules.checkEverywhere(CLASSES);
  }

  @Test
  void packagesFollowTheImportOrder() {
    ImportOrder.of("io.keylake.extensions")
        .then("plans")
        .then("parser")
        .then("dialect")
        .then("statements")
        .then("changes")
        .then("planning")
        .then("")
        .rule()
        .check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    ArchitectureRules.noCycles("io.keylake.extensions").check(CLASSES);
  }
}
