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
 * From Spark's planner to tasks: pushes columns, predicates, limits and aggregates into a scan of
 * one pinned snapshot, plans its splits, sends them to tasks and hands their batches to Spark. Read
 * {@link io.keylake.spark.read.KeylakeScanBuilder}, then {@link io.keylake.spark.read.KeylakeScan}.
 */
@NullMarked
package io.keylake.spark.read;

import org.jspecify.annotations.NullMarked;
