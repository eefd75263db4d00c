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
 * Planner rules, and the only code of the module that names classes of Spark's planner: {@link
 * io.keylake.extensions.planning.UpsertMerge} writes an upsert without reading the table, {@link
 * io.keylake.extensions.planning.KeyProbe} lets a row-level statement read only what its source can
 * hit, {@link io.keylake.extensions.planning.LayoutStrategy} spares joins on bucket keys the
 * shuffle. All are optimisations: the rows are the same without them.
 */
@NullMarked
package io.keylake.extensions.planning;

import org.jspecify.annotations.NullMarked;
