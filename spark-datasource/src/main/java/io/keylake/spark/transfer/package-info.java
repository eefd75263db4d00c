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
 * Versions that are made of files that exist: clones of our tables, tables of Spark's session
 * catalog taken over, and older versions of a table brought back. Files are copied as they are; a
 * snapshot names them when all of them are there.
 *
 * <p>Read first: {@link io.keylake.spark.transfer.Migration}, {@link
 * io.keylake.spark.transfer.TableClone}, {@link io.keylake.spark.transfer.TableRestore}.
 */
@NullMarked
package io.keylake.spark.transfer;

import org.jspecify.annotations.NullMarked;
