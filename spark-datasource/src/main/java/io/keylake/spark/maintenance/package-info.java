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
 * Upkeep of tables as Spark jobs that the driver starts, as the procedures behind {@code CALL} ask
 * for it. {@link io.keylake.spark.maintenance.TableCompaction} compacts a table: it plans bucket by
 * bucket, has executors carry the plans out and commits what they made.
 */
@NullMarked
package io.keylake.spark.maintenance;

import org.jspecify.annotations.NullMarked;
