/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.format.fileio;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A {@link FileIO} that goes wrong at its n-th call (the first is 1), before or after the effect.
 * First run with {@link #counting} to learn how many calls there are, then once per call and kind
 * of fault. Safe for use by many threads.
 */
public final class FaultyFileIO implements FileIO {
  /** Whether the call has had its effect when it goes wrong. */
  public enum Moment {
    BEFORE_EFFECT,
    AFTER_EFFECT
  }

  /** Thrown by the call at which the process dies, and by every call after it. */
  public static final class ProcessDied extends Error {
    private static final long serialVersionUID = 1L;

    ProcessDied(String call) {
      super("The process died at " + call);
    }
  }

  private enum Fault {
    NONE,
    FAIL,
    DIE
  }

  private final FileIO delegate;
  private final Fault fault;
  private final int faultyCall;
  private final Moment moment;
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean dead;

  private FaultyFileIO(FileIO delegate, Fault fault, int faultyCall, Moment moment) {
    this.delegate = delegate;
    this.fault = fault;
    this.faultyCall = faultyCall;
    this.moment = moment;
  }

  /** Never goes wrong, only counts. */
  public static FaultyFileIO counting(FileIO delegate) {
    return new FaultyFileIO(delegate, Fault.NONE, 0, Moment.BEFORE_EFFECT);
  }

  /**
   * One call throws as storage does; later calls work. A publication that fails after its effect
   * has an unknown outcome.
   */
  public static FaultyFileIO failing(FileIO delegate, int call, Moment moment) {
    return new FaultyFileIO(delegate, Fault.FAIL, call, moment);
  }

  /** The process stops at one call: it and all later ones throw {@link ProcessDied}. */
  public static FaultyFileIO dying(FileIO delegate, int call, Moment moment) {
    return new FaultyFileIO(delegate, Fault.DIE, call, moment);
  }

  /** The calls so far, such as {@code publish file:/t/snapshot/snapshot-1}. */
  public List<String> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  /** Whether the fault has happened. */
  public boolean hasFaulted() {
    return fault != Fault.NONE && calls.size() >= faultyCall;
  }

  private <T> T call(String operation, Location location, Supplier<T> effect) {
    String call = operation + " " + location;
    if (dead) {
      throw new ProcessDied(call);
    }
    int number;
    synchronized (calls) {
      calls.add(call);
      number = calls.size();
    }
    if (fault == Fault.NONE || number != faultyCall) {
      return effect.get();
    }
    if (moment == Moment.AFTER_EFFECT) {
      T unused = effect.get();
    }
    throw failure(operation, call);
  }

  private RuntimeException failure(String operation, String call) {
    if (fault == Fault.DIE) {
      dead = true;
      throw new ProcessDied(call);
    }
    IOException cause = new IOException("Injected failure at " + call);
    return operation.equals("publish") && moment == Moment.AFTER_EFFECT
        ? new CommitConflictException(
            Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN, "Injected failure at " + call, cause)
        : new UncheckedIOException(cause);
  }

  private void effect(String operation, Location location, Runnable effect) {
    call(
        operation,
        location,
        () -> {
          effect.run();
          return true;
        });
  }

  @Override
  public byte[] read(Location file) {
    return call("read", file, () -> delegate.read(file));
  }

  @Override
  public Optional<byte[]> readIfExists(Location file) {
    return call("readIfExists", file, () -> delegate.readIfExists(file));
  }

  @Override
  public boolean exists(Location location) {
    return call("exists", location, () -> delegate.exists(location));
  }

  @Override
  public Optional<FileStatus> status(Location location) {
    return call("status", location, () -> delegate.status(location));
  }

  @Override
  public List<FileStatus> list(Location folder) {
    return call("list", folder, () -> delegate.list(folder));
  }

  @Override
  public void createFolder(Location folder) {
    effect("createFolder", folder, () -> delegate.createFolder(folder));
  }

  @Override
  public void create(Location file, byte[] content) {
    effect("create", file, () -> delegate.create(file, content));
  }

  @Override
  public void overwrite(Location file, byte[] content) {
    effect("overwrite", file, () -> delegate.overwrite(file, content));
  }

  @Override
  public Publication publish(Location file, byte[] content) {
    return call("publish", file, () -> delegate.publish(file, content));
  }

  @Override
  public void renameFolder(Location from, Location to, String decisive) {
    effect("renameFolder", from, () -> delegate.renameFolder(from, to, decisive));
  }

  @Override
  public void delete(Location file) {
    effect("delete", file, () -> delegate.delete(file));
  }

  @Override
  public boolean deleteEmptyFolder(Location folder) {
    return call("deleteEmptyFolder", folder, () -> delegate.deleteEmptyFolder(folder));
  }

  @Override
  public void deleteFolder(Location folder) {
    effect("deleteFolder", folder, () -> delegate.deleteFolder(folder));
  }
}
