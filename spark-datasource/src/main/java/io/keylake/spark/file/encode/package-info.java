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
 * Step 5 of the write road, its input: rows in their final order, and the columns a data file has.
 *
 * <p>Read first: {@link io.keylake.spark.file.encode.FileColumns} (which columns a file has and
 * where their values come from), {@link io.keylake.spark.file.encode.RowBatch} (the rows), {@link
 * io.keylake.spark.file.encode.FileEncoder} (what an encoder of a format does).
 */
@NullMarked
package io.keylake.spark.file.encode;

import org.jspecify.annotations.NullMarked;
