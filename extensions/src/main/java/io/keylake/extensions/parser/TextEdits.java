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

package io.keylake.extensions.parser;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.parser.PositionMapper;
import org.apache.spark.sql.catalyst.trees.Origin;
import scala.Option;
import scala.collection.immutable.List$;

/**
 * Changes of a text, which remember where each character came from, so that an error in the changed
 * text is shown in the user's. Positions are code points, as the lexer counts them. Not thread
 * safe.
 */
public final class TextEdits {
  private final String text;
  private final List<Edit> edits = new ArrayList<>();

  /** Characters {@code [start, end)} become {@code replacement}. */
  private record Edit(int start, int end, String replacement) {
    int growth() {
      return points(replacement) - (end - start);
    }
  }

  /** No change of {@code text} yet. */
  public TextEdits(String text) {
    this.text = text;
  }

  /** Replaces the code points {@code [start, end)}; edits may not overlap. */
  public void replace(int start, int end, String replacement) {
    edits.add(new Edit(start, end, replacement));
  }

  /** Puts {@code addition} before the code point {@code position}. */
  public void insert(int position, String addition) {
    replace(position, position, addition);
  }

  /** Takes code points out; the lines of the rest stay where they are. */
  public void remove(int start, int end) {
    String lines = slice(start, end).replaceAll("[^\n]", "");
    replace(start, end, lines.isEmpty() ? " " : lines);
  }

  /** Whether nothing is changed. */
  public boolean isEmpty() {
    return edits.isEmpty();
  }

  /** The code points {@code [start, end)} of the text before the changes. */
  public String slice(int start, int end) {
    return text.substring(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, end));
  }

  /** The text before the changes. */
  public String original() {
    return text;
  }

  /** The changed text. */
  public String edited() {
    StringBuilder result = new StringBuilder();
    int done = 0;
    for (Edit edit : inOrder()) {
      result.append(slice(done, edit.start())).append(edit.replacement());
      done = edit.end();
    }
    return result.append(slice(done, points(text))).toString();
  }

  /** Where a code point of the changed text comes from. */
  public int originalPosition(int position) {
    int shift = 0;
    for (Edit edit : inOrder()) {
      int start = edit.start() + shift;
      if (position < start) {
        break;
      }
      if (position < start + points(edit.replacement())) {
        return edit.start();
      }
      shift += edit.growth();
    }
    return Math.min(position - shift, points(text));
  }

  /** A place in the changed text, as a place in the user's. */
  Origin originalPlace(Origin place) {
    if (place.line().isEmpty() || place.startPosition().isEmpty()) {
      return place;
    }
    int position =
        originalPosition(
            position(
                edited(), (Integer) place.line().get(), (Integer) place.startPosition().get()));
    int line = 1;
    int lineStart = 0;
    int[] characters = text.codePoints().toArray();
    for (int i = 0; i < Math.min(position, characters.length); i++) {
      if (characters[i] == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return place(line, position - lineStart);
  }

  static Origin place(int line, int positionInLine) {
    return new Origin(
        Option.apply((Object) line),
        Option.apply((Object) positionInLine),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty());
  }

  /** {@code origin} for plans of a changed text, whose errors show the user's. */
  static Origin quoting(Origin origin, PositionMapper positions) {
    return new Origin(
        origin.line(),
        origin.startPosition(),
        origin.startIndex(),
        origin.stopIndex(),
        origin.sqlText(),
        origin.objectType(),
        origin.objectName(),
        origin.stackTrace(),
        origin.pysparkErrorContext(),
        Option.apply(positions));
  }

  /** The same for plans, whose errors quote the text they came from. */
  PositionMapper positions() {
    return new EditedPositions(this);
  }

  private static int position(String text, int line, int positionInLine) {
    int position = 0;
    int lines = 1;
    int[] characters = text.codePoints().toArray();
    while (lines < line && position < characters.length) {
      if (characters[position++] == '\n') {
        lines++;
      }
    }
    return position + positionInLine;
  }

  private List<Edit> inOrder() {
    return edits.stream().sorted(Comparator.comparingInt(Edit::start)).toList();
  }

  private static int points(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Spark's way back from a changed text, which is made for parameters. */
  private static final class EditedPositions extends PositionMapper {
    private static final long serialVersionUID = 1L;

    private final transient TextEdits edits;

    EditedPositions(TextEdits edits) {
      super(edits.original(), edits.edited(), List$.MODULE$.empty());
      this.edits = edits;
    }

    @Override
    public int mapToOriginal(int position) {
      return edits.originalPosition(position);
    }
  }
}
