package io.keylake.format.snapshot;

/** What a snapshot did. Names are the stored values of {@code commitKind}. */
public enum CommitKind {
  APPEND,
  COMPACT,
  OVERWRITE,
  ANALYZE
}
