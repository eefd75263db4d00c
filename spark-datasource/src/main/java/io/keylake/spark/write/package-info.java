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
 * Steps 1, 2 and 7 of the write road: Spark's rows arrive in tasks, are routed to their partition
 * and bucket and numbered; what the tasks wrote becomes one commit.
 *
 * <p>Read first: {@link io.keylake.spark.write.KeylakeWriteBuilder} (what a statement asks for),
 * {@code KeylakeWrite} (how Spark must distribute the rows), {@code KeyedTaskWriter} and {@code
 * AppendTaskWriter} (a task's work), {@code KeylakeBatchWrite} (the commit).
 */
@NullMarked
package io.keylake.spark.write;

import org.jspecify.annotations.NullMarked;
