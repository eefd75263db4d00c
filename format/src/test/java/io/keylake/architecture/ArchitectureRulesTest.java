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

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

final class ArchitectureRulesTest {
  static final class Clocks {
    long now() {
      return System.currentTimeMillis();
    }
  }

  static final class Names {
    String next() {
      return UUID.randomUUID().toString();
    }
  }

  static final class Dice {
    int roll() {
      return new Random().nextInt();
    }
  }

  static final class Sleeper {
    void rest() throws InterruptedException {
      Thread.sleep(0);
    }
  }

  static final class Thaw {
    Object read(byte[] bytes) throws IOException, ClassNotFoundException {
      return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    }
  }

  static final class FileManager {}

  static final class Folder {
    Path root() {
      return new Path("/");
    }
  }

  static final class Plain {
    int one() {
      return 1;
    }
  }

  private static JavaClasses only(Class<?> type) {
    return new ClassFileImporter().importClasses(type);
  }

  private static void everywhereRefuses(Class<?> type, String advice) {
    assertThatThrownBy(() -> ArchitectureRules.checkEverywhere(only(type)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(advice)
        .hasMessageContaining(type.getSimpleName());
  }

  @Test
  void callsThatCannotBeRepeatedNameTheirReplacement() {
    everywhereRefuses(Clocks.class, "java.time.Clock");
    everywhereRefuses(Names.class, "Ids");
    everywhereRefuses(Dice.class, "RandomGenerator");
    everywhereRefuses(Sleeper.class, "wait with a limit");
    everywhereRefuses(Thaw.class, "codec of their own");
  }

  @Test
  void namesThatSayNothingAreRefused() {
    everywhereRefuses(FileManager.class, "named by what it is");
  }

  @Test
  void plainClassesPass() {
    assertThatCode(() -> ArchitectureRules.checkEverywhere(only(Plain.class)))
        .doesNotThrowAnyException();
  }

  @Test
  void hadoopStaysWithItsOwner() {
    assertThatThrownBy(
            () -> ArchitectureRules.hadoopOnlyIn("io.keylake.elsewhere").check(only(Folder.class)))
        .hasMessageContaining("FileIO");
    assertThatCode(
            () ->
                ArchitectureRules.hadoopOnlyIn("io.keylake.architecture").check(only(Folder.class)))
        .doesNotThrowAnyException();
  }
}
