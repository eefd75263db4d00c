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

package io.keylake.table.fence;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The newest commit of a user whose snapshots have expired. Stored in the name of a file, {@code
 * fence-<time>-<identifier>-<digest of the user>}, so that one listing reads all.
 *
 * @param timeMillis when it was committed
 * @param identifier which commit of the user
 * @param digest stands for the user
 */
record Fence(long timeMillis, long identifier, String digest) {
  private static final Pattern NAME = Pattern.compile("fence-(\\d+)-(\\d+)-([0-9a-f]{32})");
  private static final int DIGEST_BYTES = 16;

  static Optional<Fence> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new Fence(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                matcher.group(3)))
        : Optional.empty();
  }

  String fileName() {
    return "fence-" + timeMillis + "-" + identifier + "-" + digest;
  }

  /** What stands for a user, whose name may be any text. */
  static String digest(String user) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(user.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
