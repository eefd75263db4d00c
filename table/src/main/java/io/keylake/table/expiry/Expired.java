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

package io.keylake.table.expiry;

/**
 * What a run of expiry removed.
 *
 * @param versions snapshots or changelogs
 * @param files the files that they alone needed
 */
public record Expired(long versions, FileRemoval.Removed files) {
  /** Nothing. */
  public static final Expired NOTHING = new Expired(0, FileRemoval.Removed.NOTHING);

  Expired and(Expired other) {
    return new Expired(versions + other.versions, files.and(other.files));
  }
}
