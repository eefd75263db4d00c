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

package io.keylake.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The import order of a module's packages. Each step is one package or several that do not know
 * each other; a package may use the packages of the steps before its own. A class belongs to the
 * longest package name it starts with; a class of the module that belongs to no step is a
 * violation, so a new package has to be given its place.
 */
public final class ImportOrder {
  private final String root;
  private final Map<String, Integer> steps = new HashMap<>();

  private ImportOrder(String root) {
    this.root = root;
  }

  /** Starts the order of the packages below {@code root}, or of {@code root} itself. */
  public static ImportOrder of(String root) {
    return new ImportOrder(root);
  }

  /** Adds the next step: names of packages relative to the root, or "" for the root itself. */
  public ImportOrder then(String... packages) {
    int step = 1 + steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    Arrays.stream(packages).forEach(name -> steps.put(absolute(name), step));
    return this;
  }

  /** The rule to check. */
  public ArchRule rule() {
    return ArchRuleDefinition.classes()
        .that()
        .resideInAPackage(root + "..")
        .should(
            new ArchCondition<>("follow the import order of their module") {
              @Override
              public void check(JavaClass origin, ConditionEvents events) {
                ImportOrder.this.check(origin, events);
              }
            })
        .allowEmptyShould(true);
  }

  private String absolute(String name) {
    return name.isEmpty() ? root : root + "." + name;
  }

  private void check(JavaClass origin, ConditionEvents events) {
    String from = packageOf(origin);
    if (from.isEmpty()) {
      String message = origin.getName() + " is in a package without a place in the import order";
      events.add(SimpleConditionEvent.violated(origin, message));
      return;
    }
    for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
      String to = packageOf(dependency.getTargetClass().getBaseComponentType());
      boolean allowed = to.isEmpty() || to.equals(from) || steps.get(to) < steps.get(from);
      if (!allowed) {
        String message = from + " may not use " + to + ": " + dependency.getDescription();
        events.add(SimpleConditionEvent.violated(origin, message));
      }
    }
  }

  /** The package of this order that the class belongs to, or "" if there is none. */
  private String packageOf(JavaClass type) {
    String name = type.getPackageName();
    List<String> candidates =
        steps.keySet().stream()
            .filter(p -> name.equals(p) || (!p.equals(root) && name.startsWith(p + ".")))
            .sorted((a, b) -> Integer.compare(b.length(), a.length()))
            .toList();
    return candidates.isEmpty() ? "" : candidates.get(0);
  }
}
