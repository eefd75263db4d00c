package io.keylake.format.types;

/**
 * A multiset, stored as a map from element to its count (INT NOT NULL).
 *
 * @param element the type of its elements
 * @param nullable whether the multiset itself may be NULL
 */
public record MultisetType(DataType element, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.MULTISET;
  }

  @Override
  public MultisetType asNullable() {
    return new MultisetType(element, true);
  }

  @Override
  public MultisetType asNotNull() {
    return new MultisetType(element, false);
  }
}
