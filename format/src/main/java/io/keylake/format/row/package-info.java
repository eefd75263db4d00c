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
 * Rows as bytes: partition values, keys and statistics in the format's binary layout, their hash
 * and their order. Start with {@link io.keylake.format.row.BinaryRowCodec}; the values it takes and
 * gives are described there.
 */
@NullMarked
package io.keylake.format.row;

import org.jspecify.annotations.NullMarked;
