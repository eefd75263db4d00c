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

package io.keylake.extensions.dialect;

import io.keylake.table.options.KnownOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a {@code WITH} clause that tell Flink how to reach a table, and mean nothing in a
 * catalog that knows where its tables are.
 *
 * <ol>
 *   <li>They are accepted with a note and not stored: {@code connector}, {@code path}, {@code
 *       sink.operation}, {@code transactional}, end points, settings of storage.
 *   <li>So are credentials. A note never shows a value.
 *   <li>{@code upsert.write.bucket.num} is the number of buckets, {@code bucket}.
 *   <li>All else is the table's.
 * </ol>
 */
final class ConnectorKeys {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectorKeys.class);

  private static final String BUCKET_NUM = "upsert.write.bucket.num";
  private static final String BUCKET = "bucket";

  private static final Set<String> CONNECTOR =
      Set.of(
          "connector",
          "path",
          "sink.operation",
          "transactional",
          "type",
          "warehouse",
          "metastore",
          "uri",
          "url",
          "hostname",
          "host",
          "port",
          "driver",
          "topic",
          "table-name",
          "database-name",
          "schema-name",
          "user",
          "username",
          "password",
          "auto-create",
          "region");

  private static final Pattern PLACES =
      Pattern.compile(
          "(fs|s3|s3a|oss|cos|obs|gs|abfs|hadoop|dlf|hive-conf|properties|security|rest)\\..*"
              + "|(.*[._-])?endpoints?([._-].*)?");

  private static final Pattern CREDENTIALS =
      Pattern.compile(
          "(.*[._-])?(password|passwd|secret|token|credentials?|access-?key.*|secret-?key.*"
              + "|account-?key|private-?key|api-?key)([._-].*)?");

  private ConnectorKeys() {}

  /** What is the table's own of these properties, in their order. */
  static Map<String, String> withoutThem(Map<String, String> properties, String table) {
    Map<String, String> own = new LinkedHashMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.equalsIgnoreCase(BUCKET_NUM)) {
            own.putIfAbsent(BUCKET, value);
          } else if (isConnectors(key)) {
            LOG.warn(
                "The option '{}' of table {} has no meaning in a catalog; it is not stored.",
                key,
                table);
          } else {
            own.put(key, value);
          }
        });
    return own;
  }

  /** Whether the key means nothing for a table of a catalog, or must not be stored. */
  static boolean isConnectors(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    if (CONNECTOR.contains(lower) || CREDENTIALS.matcher(lower).matches()) {
      return true;
    }
    return KnownOptions.find(lower).isEmpty() && PLACES.matcher(lower).matches();
  }
}
