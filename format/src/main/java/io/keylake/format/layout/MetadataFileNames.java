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

package io.keylake.format.layout;

import io.keylake.format.fileio.Ids;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * New names for the metadata files of one commit: {@code manifest-<uuid>-<n>} and so on, one uuid
 * for all, each kind counting from 0. Safe for use by many threads.
 *
 * <p>Rule source: table format, file names.
 */
public final class MetadataFileNames {
  private final String id;
  private final AtomicInteger manifests = new AtomicInteger();
  private final AtomicInteger manifestLists = new AtomicInteger();
  private final AtomicInteger indexManifests = new AtomicInteger();
  private final AtomicInteger indexes = new AtomicInteger();
  private final AtomicInteger statistics = new AtomicInteger();

  /** Takes one identifier for all names. */
  public MetadataFileNames(Ids ids) {
    this.id = ids.next();
  }

  /** A new manifest. */
  public String manifest() {
    return next("manifest-", manifests);
  }

  /** A new manifest list. */
  public String manifestList() {
    return next("manifest-list-", manifestLists);
  }

  /** A new index manifest. */
  public String indexManifest() {
    return next("index-manifest-", indexManifests);
  }

  /** A new index file. */
  public String index() {
    return next("index-", indexes);
  }

  /** A new statistics file. */
  public String statistics() {
    return next("stat-", statistics);
  }

  private String next(String prefix, AtomicInteger counter) {
    return prefix + id + "-" + counter.getAndIncrement();
  }
}
