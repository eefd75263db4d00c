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
 * Changes of a table's columns and options as Spark states them, in the format's terms. {@link
 * io.keylake.spark.schema.SchemaChanges} carries out ALTER TABLE; {@link
 * io.keylake.spark.schema.ColumnEvolution} says what a write may change by itself.
 */
@NullMarked
package io.keylake.spark.schema;

import org.jspecify.annotations.NullMarked;
