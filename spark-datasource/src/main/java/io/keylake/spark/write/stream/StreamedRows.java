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

package io.keylake.spark.write.stream;

import org.jspecify.annotations.Nullable;

/**
 * What an epoch does with rows besides writing them.
 *
 * @param aligned how they become rows of the table; null = they are
 * @param time where the watermark comes from; null = not from a column
 * @param progress is told what was committed
 */
record StreamedRows(
    @Nullable AlignedRows aligned, @Nullable EventTime time, SinkProgress progress) {}
