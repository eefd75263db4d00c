package io.keylake.format.fileio;

import java.util.UUID;

/** The source of random identifiers in file names and commit users, passed in so that tests can make it repeatable. Safe for use by many threads. */
@FunctionalInterface
public interface Ids {
  /** A new identifier, unique for all time, in the text form of a UUID. */
  String next();

  /** Random identifiers. */
  static Ids random() {
    return () -> UUID.randomUUID().toString();
  }
}
