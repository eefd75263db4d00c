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
 * Writes to postpone tables: how many buckets a partition gets that has none yet. {@link
 * io.keylake.spark.write.postpone.NewPartitions} says.
 */
@NullMarked
package io.keylake.spark.write.postpone;

import org.jspecify.annotations.NullMarked;
