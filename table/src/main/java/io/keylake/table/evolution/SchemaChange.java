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

package io.keylake.table.evolution;

import io.keylake.format.types.DataType;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of a table's definition. Columns are named by path: the column, then fields of nested
 * rows; {@code element} steps into an array and {@code value} into the values of a map. The rules
 * are in {@link SchemaDraft}.
 */
public sealed interface SchemaChange extends Serializable {
  /** Carries the change out on {@code draft}. */
  void applyTo(SchemaDraft draft);

  /**
   * Adds a column or a nested field.
   *
   * @param path the new column, or the field below an existing column
   * @param type nullable; ids inside it do not matter
   * @param comment null for none
   * @param defaultValue the text of the default, null for none; rows that exist already take it,
   *     too
   * @param position where it goes among its neighbours
   */
  record AddColumn(
      List<String> path,
      DataType type,
      @Nullable String comment,
      @Nullable String defaultValue,
      ColumnPosition position)
      implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public AddColumn {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.addColumn(this);
    }
  }

  /**
   * Drops a column or a nested field.
   *
   * @param path what to drop
   */
  record DropColumn(List<String> path) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public DropColumn {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.dropColumn(path);
    }
  }

  /**
   * Renames a column or a nested field.
   *
   * @param path the column as it is named now
   * @param newName its new name, without the path
   */
  record RenameColumn(List<String> path, String newName) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public RenameColumn {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.renameColumn(path, newName);
    }
  }

  /**
   * Changes the type of a column, nested field, array element or map value.
   *
   * @param path what to change
   * @param type the new type; nullability stays as it was
   */
  record UpdateType(List<String> path, DataType type) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public UpdateType {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.updateType(path, type);
    }
  }

  /**
   * Allows or forbids NULL.
   *
   * @param path what to change
   * @param nullability what it becomes
   */
  record UpdateNullability(List<String> path, Nullability nullability) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Whether NULL is allowed. */
    public enum Nullability {
      NULLABLE,
      NOT_NULL
    }

    /** Copies the path. */
    public UpdateNullability {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.updateNullability(path, nullability);
    }
  }

  /**
   * Changes the comment of a column or nested field.
   *
   * @param path the column
   * @param comment null to remove it
   */
  record UpdateComment(List<String> path, @Nullable String comment) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public UpdateComment {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.updateComment(path, comment);
    }
  }

  /**
   * Changes what rows written from now on take when they leave the column out.
   *
   * @param column a top-level column
   * @param defaultValue the text of the default, null to remove it
   */
  record UpdateDefault(String column, @Nullable String defaultValue) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.updateDefault(column, defaultValue);
    }
  }

  /**
   * Moves a column or nested field among its neighbours.
   *
   * @param path the column
   * @param position where it goes
   */
  record MovePosition(List<String> path, ColumnPosition position) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    /** Copies the path. */
    public MovePosition {
      path = List.copyOf(path);
    }

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.moveColumn(path, position);
    }
  }

  /**
   * Sets an option.
   *
   * @param key its name
   * @param value its text
   */
  record SetOption(String key, String value) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.setOption(key, value);
    }
  }

  /**
   * Removes an option; nothing happens when it is not set.
   *
   * @param key its name
   */
  record RemoveOption(String key) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.removeOption(key);
    }
  }

  /**
   * Changes the comment of the table.
   *
   * @param comment null to remove it
   */
  record SetTableComment(@Nullable String comment) implements SchemaChange {
    private static final long serialVersionUID = 1L;

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.setComment(comment);
    }
  }

  /** Makes a table without data an append table. */
  record DropPrimaryKey() implements SchemaChange {
    private static final long serialVersionUID = 1L;

    @Override
    public void applyTo(SchemaDraft draft) {
      draft.dropPrimaryKey();
    }
  }
}
