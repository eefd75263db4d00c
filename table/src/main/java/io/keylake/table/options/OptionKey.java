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

package io.keylake.table.options;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The one declaration of an option: how it is spelled, parsed, bounded, explained and supported.
 * Immutable. Two keys are equal when they are the same object.
 *
 * @param <T> the type of its values
 */
public final class OptionKey<T> {
  /**
   * What happens to a table that sets the option to a value which this version does not support.
   */
  public enum Refusal {
    /** Every value is supported. */
    NONE("yes"),
    /** The option is accepted and stored; it has no effect here and does not change results. */
    NO_EFFECT("accepted, no effect"),
    /** Creating, altering and writing the table are refused; reading it is right. */
    WRITE("refused for writing"),
    /** Reading is refused, too, because rows would be misread. */
    READ("refused");

    private final String text;

    Refusal(String text) {
      this.text = text;
    }

    /** How the documentation names it. */
    public String text() {
      return text;
    }
  }

  /** When the option may be changed. */
  public enum Change {
    /** Any time. */
    FREE("any time"),
    /** Any time, but for the table, not for a statement or session. */
    TABLE("any time, for the table"),
    /** Only while the table has no snapshot. */
    WHILE_EMPTY("while the table is empty"),
    /** Only when the table is created. */
    AT_CREATION("at creation"),
    /**
     * Under conditions of its own once there is data, see {@link
     * io.keylake.table.options.support.OptionChanges}.
     */
    CONDITIONAL("under conditions");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    /** How the documentation names it. */
    public String text() {
      return text;
    }
  }

  private record Traits<T>(
      List<String> fallbackKeys,
      @Nullable Predicate<T> range,
      @Nullable String rangeText,
      Refusal refusal,
      List<T> supported,
      Change change) {}

  private final String name;
  private final OptionType<T> type;
  private final @Nullable T defaultValue;
  private final String sentence;
  private final Traits<T> traits;

  private OptionKey(
      String name,
      OptionType<T> type,
      @Nullable T defaultValue,
      String sentence,
      Traits<T> traits) {
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.sentence = sentence;
    this.traits = traits;
  }

  /** An option with a default; {@code sentence} says what it does. */
  static <T> OptionKey<T> of(String name, OptionType<T> type, T defaultValue, String sentence) {
    return new OptionKey<>(name, type, defaultValue, sentence, plain());
  }

  /** An option without a default. */
  static <T> OptionKey<T> optional(String name, OptionType<T> type, String sentence) {
    return new OptionKey<>(name, type, null, sentence, plain());
  }

  private static <T> Traits<T> plain() {
    return new Traits<>(List.of(), null, null, Refusal.NONE, List.of(), Change.FREE);
  }

  /** Older spellings, looked up in this order when the name itself is not set. */
  OptionKey<T> fallback(String... keys) {
    return with(
        new Traits<>(
            List.of(keys),
            traits.range(),
            traits.rangeText(),
            traits.refusal(),
            traits.supported(),
            traits.change()));
  }

  /** Only values for which {@code range} holds; {@code text} names them. */
  OptionKey<T> within(Predicate<T> range, String text) {
    return with(
        new Traits<>(
            traits.fallbackKeys(),
            range,
            text,
            traits.refusal(),
            traits.supported(),
            traits.change()));
  }

  /** Values other than the default, or than {@code supported} if given, are refused. */
  OptionKey<T> refused(Refusal refusal, List<T> supported) {
    return with(
        new Traits<>(
            traits.fallbackKeys(),
            traits.range(),
            traits.rangeText(),
            refusal,
            List.copyOf(supported),
            traits.change()));
  }

  /** Values other than the default are refused. */
  OptionKey<T> refused(Refusal refusal) {
    return refused(refusal, List.of());
  }

  /** When it may be changed. */
  OptionKey<T> changes(Change change) {
    return with(
        new Traits<>(
            traits.fallbackKeys(),
            traits.range(),
            traits.rangeText(),
            traits.refusal(),
            traits.supported(),
            change));
  }

  /** The key of a family for these columns: its part in angle brackets replaced. */
  public OptionKey<T> forColumns(String columns) {
    return spelled(name.replaceFirst("<[^>]*>", Matcher.quoteReplacement(columns)));
  }

  /** The key of a family that is spelled so. */
  OptionKey<T> spelled(String spelling) {
    return new OptionKey<>(spelling, type, defaultValue, sentence, traits);
  }

  private OptionKey<T> with(Traits<T> newTraits) {
    return new OptionKey<>(name, type, defaultValue, sentence, newTraits);
  }

  /** The key as users write it; a part in angle brackets stands for any text. */
  public String name() {
    return name;
  }

  /** Older spellings. */
  public List<String> fallbackKeys() {
    return traits.fallbackKeys();
  }

  /** The name of the type, for the documentation. */
  public String typeName() {
    return type.name();
  }

  /** The text of the default, or empty when there is none. */
  public Optional<String> defaultText() {
    return Optional.ofNullable(defaultValue).map(type::print);
  }

  /** What it does, one sentence. */
  public String sentence() {
    return sentence;
  }

  /** The allowed values beyond what the type says, or empty. */
  public Optional<String> rangeText() {
    return Optional.ofNullable(traits.rangeText());
  }

  /** What happens to unsupported values. */
  public Refusal refusal() {
    return traits.refusal();
  }

  /** When it may be changed. */
  public Change change() {
    return traits.change();
  }

  /** The supported values of a refused option, as text; empty when only the default is. */
  public List<String> supportedTexts() {
    return traits.supported().stream().map(type::print).toList();
  }

  /** The text that {@code options} give for this key, by its name or else an older spelling. */
  public Optional<String> text(Map<String, String> options) {
    String text = options.get(name);
    for (int i = 0; text == null && i < traits.fallbackKeys().size(); i++) {
      text = options.get(traits.fallbackKeys().get(i));
    }
    return Optional.ofNullable(text);
  }

  /** Whether {@code options} give the key a value. */
  public boolean isSet(Map<String, String> options) {
    return text(options).isPresent();
  }

  /**
   * The value that {@code options} give, or else the default, or else empty.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when the text is no allowed value
   */
  public Optional<T> find(Map<String, String> options) {
    Optional<String> text = text(options);
    return text.isPresent() ? Optional.of(parse(text.get())) : Optional.ofNullable(defaultValue);
  }

  /** The value that {@code options} give, or else the default, which must exist. */
  public T read(Map<String, String> options) {
    return find(options)
        .orElseThrow(() -> new IllegalStateException("Option " + name + " has no default"));
  }

  /**
   * Parses one value and checks its range.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when the text is no allowed value
   */
  public T parse(String text) {
    T value;
    try {
      value = type.parse(text.strip());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw invalid(text, e);
    }
    Predicate<T> range = traits.range();
    if (range != null && !range.test(value)) {
      throw invalid(text, null);
    }
    return value;
  }

  /** The text of a value. */
  public String print(T value) {
    return type.print(value);
  }

  /** Whether this version carries out the meaning of {@code text}. */
  public boolean supports(String text) {
    return switch (traits.refusal()) {
      case NONE, NO_EFFECT -> true;
      case WRITE, READ -> {
        T value = parse(text);
        yield value.equals(defaultValue) || traits.supported().contains(value);
      }
    };
  }

  private InvalidRequestException invalid(String text, @Nullable Exception cause) {
    String allowed = type.allowed() + (traits.rangeText() == null ? "" : ", " + traits.rangeText());
    String message =
        "Invalid value '" + text + "' of option '" + name + "'. Allowed: " + allowed + ".";
    return new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, message, cause);
  }

  @Override
  public String toString() {
    return name;
  }
}
