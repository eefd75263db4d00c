package io.keylake.format.types;

import java.io.Serializable;

/** A data type of the format with its nullability. Immutable; equality by value. */
public sealed interface DataType extends Serializable
    permits AtomicType, ArrayType, MapType, MultisetType, RowType, VectorType {
  /** The kind of the type. */
  TypeRoot root();

  /** Whether a value may be NULL. */
  boolean nullable();

  /** The same type, nullable. */
  DataType asNullable();

  /** The same type, NOT NULL. */
  DataType asNotNull();
}
