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
 * The exact changes between two states of a table that has no stored changelog: what {@link
 * io.keylake.table.difference.DifferenceSplit}s differ in. {@link
 * io.keylake.spark.changelog.difference.DifferenceReaders} opens them; {@code
 * KeyedDifferenceReader} walks the keys of both states at once, {@code AppendedDifferenceReader}
 * reads rows that only came or only went, and {@code RowMultisets} compares whole rows.
 */
@NullMarked
package io.keylake.spark.changelog.difference;

import org.jspecify.annotations.NullMarked;
