package io.keylake.format.types;

/**
 * An array.
 *
 * @param element the type of its elements; its nullability says whether elements may be NULL
 * @param nullable whether the array itself may be NULL
 */
public record ArrayType(DataType element, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.ARRAY;
  }

  @Override
  public ArrayType asNullable() {
    return new ArrayType(element, true);
  }

  @Override
  public ArrayType asNotNull() {
    return new ArrayType(element, false);
  }
}
