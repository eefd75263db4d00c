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

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** The rules that hold in every module, and the ones that several modules share. */
public final class ArchitectureRules {
  private static final int MAX_TYPES_PER_PACKAGE = 25;

  private ArchitectureRules() {}

  /** The main classes (not the tests) of everything below a package. */
  public static JavaClasses mainClasses(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(
            location ->
                !location.contains("/test-classes/")
                    && !location.contains("-tests.jar")
                    && !location.contains("/test/"))
        .importPackages(rootPackage);
  }

  /** Checks the rules that every module follows. */
  public static void checkEverywhere(JavaClasses classes) {
    clockIsPassedIn().check(classes);
    idsArePassedIn().check(classes);
    randomnessIsPassedIn().check(classes);
    nothingSleeps().check(classes);
    noJavaSerialization().check(classes);
    namesSayWhatTheyAre().check(classes);
    packagesStaySmall().check(classes);
  }

  /** No cycle between the packages directly below {@code root}. */
  public static ArchRule noCycles(String root) {
    return SlicesRuleDefinition.slices()
        .matching(root + ".(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  /** The metadata plane knows neither Spark nor Scala. */
  public static ArchRule sparkFree() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..")
        .because("the metadata plane runs without Spark; move this to spark-datasource")
        .allowEmptyShould(true);
  }

  /** Only one package opens, lists and deletes files. */
  public static ArchRule hadoopOnlyIn(String owner) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(owner)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .because("files are reached through io.keylake.format.fileio.FileIO")
        .allowEmptyShould(true);
  }

  private static ArchRule clockIsPassedIn() {
    return noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .because("time comes from a java.time.Clock given to the constructor: clock.millis()")
        .allowEmptyShould(true);
  }

  private static ArchRule idsArePassedIn() {
    return noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.keylake.format.fileio.Ids")
        .should()
        .callMethod(UUID.class, "randomUUID")
        .because("ids come from an io.keylake.format.fileio.Ids given to the constructor")
        .allowEmptyShould(true);
  }

  private static ArchRule randomnessIsPassedIn() {
    return noClasses()
        .should()
        .callConstructor(Random.class)
        .orShould()
        .callMethod(Math.class, "random")
        .because(
            "randomness comes from a java.util.random.RandomGenerator given to the constructor")
        .allowEmptyShould(true);
  }

  private static ArchRule nothingSleeps() {
    return noClasses()
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Thread.class, "sleep", long.class, int.class)
        .because(
            "waiting is a java.util.concurrent wait with a limit, or a pause given to the"
                + " constructor")
        .allowEmptyShould(true);
  }

  private static ArchRule noJavaSerialization() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ObjectOutputStream.class)
        .because("stored bytes have a codec of their own; Spark alone ships objects between tasks")
        .allowEmptyShould(true);
  }

  private static ArchRule namesSayWhatTheyAre() {
    return noClasses()
        .should()
        .haveNameMatching(".*\\.(util|utils|common|helper|helpers|impl)\\..*")
        .orShould()
        .haveSimpleNameStartingWith("Abstract")
        .orShould()
        .haveNameMatching(".*[a-z](Impl|Base|Manager|Helper|Util|Utils|Info)(\\$.*)?")
        .because("a class is named by what it is in the domain, its package by its step")
        .allowEmptyShould(true);
  }

  private static ArchRule packagesStaySmall() {
    return classes()
        .should(
            new ArchCondition<JavaClass>(
                "live in a package of at most " + MAX_TYPES_PER_PACKAGE + " files") {
              private final Map<String, Integer> types = new TreeMap<>();

              @Override
              public void init(Collection<JavaClass> all) {
                all.stream()
                    .filter(type -> type.isTopLevelClass() && !isPackageDoc(type))
                    .forEach(type -> types.merge(type.getPackageName(), 1, Integer::sum));
              }

              @Override
              public void check(JavaClass type, ConditionEvents events) {}

              @Override
              public void finish(ConditionEvents events) {
                types.forEach(
                    (name, count) -> {
                      if (count > MAX_TYPES_PER_PACKAGE) {
                        String message = name + " has " + count + " types: split it by theme";
                        events.add(SimpleConditionEvent.violated(name, message));
                      }
                    });
              }
            })
        .allowEmptyShould(true);
  }

  private static boolean isPackageDoc(JavaClass type) {
    return type.getSimpleName().equals("package-info");
  }
}
