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
 * The files of a table: value types, bytes, readers and writers of every kind of file. Nothing here
 * knows Spark or what files mean together.
 *
 * <p>Packages, each may use those before it: {@code errors}, {@code types}, {@code row}, {@code
 * fileio}, {@code layout}, {@code schema}, {@code stats}, {@code predicate}, {@code datafile},
 * {@code deletionvector}, {@code index}, {@code manifest}, {@code snapshot}.
 */
@NullMarked
package io.keylake.format;

import org.jspecify.annotations.NullMarked;
