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
 * How a table's definition comes to be and changes: {@link
 * io.keylake.table.evolution.TableDefinition} becomes the first schema, {@link
 * io.keylake.table.evolution.SchemaChange}s become the next one through {@link
 * io.keylake.table.evolution.SchemaEvolution} and {@link io.keylake.table.evolution.SchemaUpdate},
 * and {@link io.keylake.table.evolution.StoredColumns} finds today's columns in files of an older
 * schema.
 */
@NullMarked
package io.keylake.table.evolution;

import org.jspecify.annotations.NullMarked;
