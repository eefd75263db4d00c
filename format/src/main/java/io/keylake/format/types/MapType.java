package io.keylake.format.types;

/**
 * A map.
 *
 * @param key the type of its keys; a stored key is never NULL whatever its declared nullability
 * @param value the type of its values
 * @param nullable whether the map itself may be NULL
 */
public record MapType(DataType key, DataType value, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.MAP;
  }

  @Override
  public MapType asNullable() {
    return new MapType(key, value, true);
  }

  @Override
  public MapType asNotNull() {
    return new MapType(key, value, false);
  }
}
