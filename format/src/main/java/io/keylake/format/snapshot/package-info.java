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

/**
 * Versions of a table and what names them: snapshots, tags, branches, consumers, long-lived
 * changelogs and statistics. {@link io.keylake.format.snapshot.TableStorage} bundles the stores of
 * one branch of a table; {@link io.keylake.format.snapshot.SnapshotStore} finds and publishes
 * snapshots.
 */
@NullMarked
package io.keylake.format.snapshot;

import org.jspecify.annotations.NullMarked;
