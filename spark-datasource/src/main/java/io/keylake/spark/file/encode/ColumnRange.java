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

package io.keylake.spark.file.encode;

import org.jspecify.annotations.Nullable;

/**
 * Smallest and largest value of a column in one file, and its NULLs. Values are Java values as in
 * {@link io.keylake.format.predicate.Predicate}.
 *
 * @param min null = no bound is known: only NULLs, a NaN, or a type without order
 * @param max likewise; both are null or none
 * @param nullCount rows in which the column is NULL
 */
public record ColumnRange(@Nullable Object min, @Nullable Object max, long nullCount) {}
