package io.keylake.spark.merge;

import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Batches of result rows of one split after another. The batch and its vectors are valid until the next call of {@link #next}. For one thread; the caller closes it, also after a failure, as often as it likes. */
public interface BatchReader extends Closeable {
  /** Moves to the next batch that has rows; false at the end. */
  boolean next() throws IOException;

  /** The current batch: the requested columns in order, made of Spark's own vectors. */
  ColumnarBatch batch();
}
