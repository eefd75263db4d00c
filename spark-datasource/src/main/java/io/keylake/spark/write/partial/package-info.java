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
 * Writes that set some columns only: {@link io.keylake.spark.write.partial.CurrentRows} finds the
 * rows that the written keys have, {@link io.keylake.spark.write.partial.WithCurrentRows} puts each
 * in front of what is written of its key, and {@link io.keylake.spark.write.partial.PartialRules}
 * say how they fold.
 */
@NullMarked
package io.keylake.spark.write.partial;

import org.jspecify.annotations.NullMarked;
