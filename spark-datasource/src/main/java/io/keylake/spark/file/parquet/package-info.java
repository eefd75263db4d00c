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
 * Step 5 of the write road, in Parquet: rows become pages, column by column, and what the encoders
 * saw on the way becomes the bounds of the columns.
 *
 * <p>Read first: {@link io.keylake.spark.file.parquet.ParquetFileEncoder} (one file after the
 * other), {@code ColumnEncoder} (one flat column), {@code NestedEncoder} (all nested columns).
 */
@NullMarked
package io.keylake.spark.file.parquet;

import org.jspecify.annotations.NullMarked;
