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

package io.keylake.format.types;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of an atomic type as schema files hold it. Letter case and spacing are free, and
 * these spellings are read as well as those of {@link TypeText}: {@code NUMERIC} and {@code DEC},
 * {@code INTEGER}, {@code DOUBLE PRECISION}, {@code TIMESTAMP_LTZ(p)}, {@code WITHOUT TIME ZONE}, a
 * trailing {@code NULL}, and left-out parameters: length 1, DECIMAL(10, 0), TIME(0), TIMESTAMP(6).
 *
 * <p>Rule source: table format, type notation. Pinned by {@code TypeTextTest}.
 */
public final class TypeParser {
  private static final Pattern TOKEN = Pattern.compile("\\s*([A-Za-z_]+|[0-9]+|[(),])");
  private static final int DEFAULT_LENGTH = 1;
  private static final int DEFAULT_DECIMAL_PRECISION = 10;
  private static final int DEFAULT_TIMESTAMP_PRECISION = 6;

  private final String text;
  private final List<String> tokens;
  private int next;

  private TypeParser(String text) {
    this.text = text;
    this.tokens = tokens(text);
  }

  /**
   * The type that {@code text} denotes.
   *
   * @throws UnsupportedTableException with KEYLAKE_UNSUPPORTED_TYPE when it denotes none
   */
  public static AtomicType parse(String text) {
    TypeParser parser = new TypeParser(text);
    try {
      AtomicType type = parser.type();
      AtomicType result = parser.takeNullability() ? type : type.asNotNull();
      if (parser.next < parser.tokens.size()) {
        throw parser.unknown(null);
      }
      return result;
    } catch (IllegalArgumentException invalid) {
      throw parser.unknown(invalid);
    }
  }

  private List<String> tokens(String source) {
    List<String> found = new ArrayList<>();
    String trimmed = source.strip();
    Matcher matcher = TOKEN.matcher(trimmed);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      found.add(matcher.group(1).toUpperCase(Locale.ROOT));
      end = matcher.end();
    }
    if (end != trimmed.length() || found.isEmpty()) {
      throw unknown(null);
    }
    return found;
  }

  private AtomicType type() {
    String name = tokens.get(next++);
    return switch (name) {
      case "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DATE", "VARIANT", "BLOB" ->
          plain(TypeRoot.valueOf(name));
      case "INTEGER" -> DataTypes.INT;
      case "DOUBLE" -> {
        take("PRECISION");
        yield DataTypes.DOUBLE;
      }
      case "DECIMAL", "NUMERIC", "DEC" -> decimal();
      case "STRING" -> DataTypes.STRING;
      case "BYTES" -> DataTypes.BYTES;
      case "CHAR", "VARCHAR", "BINARY", "VARBINARY" ->
          DataTypes.sized(TypeRoot.valueOf(name), parameter(DEFAULT_LENGTH));
      case "TIME" -> {
        AtomicType time = DataTypes.sized(TypeRoot.TIME, parameter(0));
        takeAll("WITHOUT", "TIME", "ZONE");
        yield time;
      }
      case "TIMESTAMP" -> timestamp();
      case "TIMESTAMP_LTZ" -> DataTypes.timestampLtz(parameter(DEFAULT_TIMESTAMP_PRECISION));
      default -> throw unknown(null);
    };
  }

  private static AtomicType plain(TypeRoot root) {
    return new AtomicType(root, 0, 0, true);
  }

  private AtomicType decimal() {
    if (!take("(")) {
      return DataTypes.decimal(DEFAULT_DECIMAL_PRECISION, 0);
    }
    int precision = number();
    int scale = take(",") ? number() : 0;
    expect(")");
    return DataTypes.decimal(precision, scale);
  }

  private AtomicType timestamp() {
    int precision = parameter(DEFAULT_TIMESTAMP_PRECISION);
    if (takeAll("WITH", "LOCAL", "TIME", "ZONE")) {
      return DataTypes.timestampLtz(precision);
    }
    takeAll("WITHOUT", "TIME", "ZONE");
    return DataTypes.timestamp(precision);
  }

  private boolean takeNullability() {
    if (takeAll("NOT", "NULL")) {
      return false;
    }
    take("NULL");
    return true;
  }

  private int parameter(int defaultValue) {
    if (!take("(")) {
      return defaultValue;
    }
    int value = number();
    expect(")");
    return value;
  }

  private int number() {
    if (next >= tokens.size()) {
      throw unknown(null);
    }
    return Integer.parseInt(tokens.get(next++));
  }

  private void expect(String token) {
    if (!take(token)) {
      throw unknown(null);
    }
  }

  private boolean take(String token) {
    boolean found = next < tokens.size() && tokens.get(next).equals(token);
    if (found) {
      next++;
    }
    return found;
  }

  private boolean takeAll(String... words) {
    if (next + words.length > tokens.size()
        || !tokens.subList(next, next + words.length).equals(List.of(words))) {
      return false;
    }
    next += words.length;
    return true;
  }

  private UnsupportedTableException unknown(@Nullable Throwable cause) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Cannot read the data type '"
            + text
            + "': it is none of the types this version knows. Use a newer version of Keylake.",
        cause);
  }
}
