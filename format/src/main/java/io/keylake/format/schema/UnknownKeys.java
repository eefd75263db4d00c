package io.keylake.format.schema;

import java.io.Serializable;
import java.util.Map;

/**
 * The JSON keys of a file that this version does not know, kept so that rewriting the file does not lose them.
 *
 * @param json each key with the compact JSON text of its value
 */
public record UnknownKeys(Map<String, String> json) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No unknown keys. */
  public static final UnknownKeys NONE = new UnknownKeys(Map.of());

  /** Copies the map. */
  public UnknownKeys {
    json = Map.copyOf(json);
  }
}
