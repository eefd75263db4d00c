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

package io.keylake.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of the Python package, of Spark's scripts and of the notebook, with the runtime jar.
 * They need PySpark 4.2 and pytest for {@code python3}, or for the interpreter that the environment
 * names by {@code KEYLAKE_PYTHON}; nothing is downloaded.
 */
final class PySparkTest {
  private static final long MINUTES = 10;
  private static final String NAMED = "KEYLAKE_PYTHON";
  private static final Path PACKAGE = Path.of("../python").toAbsolutePath().normalize();

  /** The versions of both, or an error. */
  private static final String VERSIONS =
      "import pyspark, pytest; print('pyspark ' + pyspark.__version__)";

  @TempDir private Path scratch;

  @Test
  void pythonPackageWorksWithPySpark() throws IOException, InterruptedException {
    Optional<String> python = interpreter();
    assumeTrue(python.isPresent(), "skipped: no PySpark");
    Process tests =
        start(
            "pytest.txt", python.get(), "-m", "pytest", "-p", "no:cacheprovider", "--durations=8");
    boolean isEnded = tests.waitFor(MINUTES, TimeUnit.MINUTES);
    if (!isEnded) {
      tests.descendants().forEach(ProcessHandle::destroyForcibly);
      tests.destroyForcibly();
    }
    String log = Files.readString(scratch.resolve("pytest.txt"));
    assertThat(isEnded).as("ended in " + MINUTES + " minutes: " + log).isTrue();
    assertThat(tests.exitValue()).as(log).isZero();
    assertThat(log).contains("passed").doesNotContain("skipped: no PySpark");
    System.out.println(log);
  }

  /** An interpreter with PySpark 4.2 and pytest; one that was named has to have them. */
  private Optional<String> interpreter() throws InterruptedException {
    String named = System.getenv(NAMED);
    String python = named == null ? "python3" : named;
    String answer = answer(python);
    boolean isThere = answer.contains("pyspark 4.2.");
    assertThat(isThere || named == null)
        .as(NAMED + " names " + named + ", which has no PySpark 4.2 with pytest: " + answer)
        .isTrue();
    return isThere ? Optional.of(python) : Optional.empty();
  }

  private String answer(String python) throws InterruptedException {
    try {
      Process process = start("versions.txt", python, "-c", VERSIONS);
      boolean isEnded = process.waitFor(1, TimeUnit.MINUTES);
      process.destroyForcibly();
      return isEnded ? Files.readString(scratch.resolve("versions.txt")) : "no answer";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Starts a program in the package's folder, with the jar and the Java of this build. */
  private Process start(String output, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(PACKAGE.toFile())
            .redirectErrorStream(true)
            .redirectOutput(scratch.resolve(output).toFile());
    builder.environment().put("KEYLAKE_JAR", System.getProperty("keylake.runtime.jar"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}
