package io.keylake.format.types;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table or a field of a ROW.
 *
 * @param id stable over renames, never reused; system columns have ids of 1073741823 and above
 * @param name spelled as declared
 * @param type the type with its nullability
 * @param description the comment, null when there is none
 * @param defaultValue the text of the default, null when there is none
 */
public record DataField(
    int id,
    String name,
    DataType type,
    @Nullable String description,
    @Nullable String defaultValue)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A field without comment and default. */
  public static DataField of(int id, String name, DataType type) {
    return new DataField(id, name, type, null, null);
  }

  /** The same field with another type. */
  public DataField withType(DataType newType) {
    return new DataField(id, name, newType, description, defaultValue);
  }

  /** The same field with another name. */
  public DataField withName(String newName) {
    return new DataField(id, newName, type, description, defaultValue);
  }
}
