package io.keylake.format.types;

/**
 * A vector of fixed length. Known so that foreign schemas parse; tables with such a column are refused for reading and writing.
 *
 * @param element the type of its elements
 * @param length the number of elements
 * @param nullable whether the vector itself may be NULL
 */
public record VectorType(DataType element, int length, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.VECTOR;
  }

  @Override
  public VectorType asNullable() {
    return new VectorType(element, length, true);
  }

  @Override
  public VectorType asNotNull() {
    return new VectorType(element, length, false);
  }
}
