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

package io.keylake.format.fileio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes publish the same names at the same time on the local file system. */
class PublishRaceTest {
  private static final int PROCESSES = 4;
  private static final int NAMES = 300;

  @TempDir Path folder;

  /** One process: says it is ready, waits for a line, publishes all names, prints what it won. */
  static final class Racer {
    private Racer() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      FileIO fileIO = HadoopFileIO.of(new Configuration(false));
      fileIO.publish(new Location("file:" + folder + "/warm-up-" + arguments[1]), new byte[0]);
      System.out.println("ready");
      if (System.in.read() < 0) {
        throw new IOException("No start signal");
      }
      StringBuilder won = new StringBuilder();
      for (int i = 0; i < NAMES; i++) {
        Location file = new Location("file:" + folder + "/names/snapshot-" + i);
        byte[] content = arguments[1].getBytes(UTF_8);
        if (fileIO.publish(file, content) == FileIO.Publication.PUBLISHED) {
          won.append(i).append('\n');
        }
      }
      System.out.print(won);
    }
  }

  private Process start(int racer) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Racer.class.getName(),
            folder.toString(),
            Integer.toString(racer))
        .redirectError(folder.resolve("log-" + racer).toFile())
        .start();
  }

  @Test
  void exactlyOneProcessWinsEachName() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int racer = 0; racer < PROCESSES; racer++) {
      processes.add(start(racer));
    }
    for (Process process : processes) {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
    }
    for (Process process : processes) {
      process.outputWriter().append('\n').flush();
    }

    Map<Integer, String> winners = new TreeMap<>();
    for (int racer = 0; racer < PROCESSES; racer++) {
      for (String name : processes.get(racer).inputReader().lines().toList()) {
        String other = winners.put(Integer.valueOf(name), Integer.toString(racer));
        assertThat(other).as("another winner of " + name).isNull();
      }
      assertThat(processes.get(racer).waitFor()).isZero();
    }

    assertThat(winners).hasSize(NAMES);
    for (Map.Entry<Integer, String> winner : winners.entrySet()) {
      assertThat(folder.resolve("names/snapshot-" + winner.getKey())).hasContent(winner.getValue());
    }
    assertThat(folder.resolve("names").toFile().list()).hasSize(NAMES);
  }
}
