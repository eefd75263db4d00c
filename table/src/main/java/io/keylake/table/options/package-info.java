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
 * The options of a table. The only place where option text becomes values: a key is declared once
 * (in {@link io.keylake.table.options.StorageKeys}, {@link io.keylake.table.options.EngineKeys},
 * {@link io.keylake.table.options.CompactionKeys}, {@link io.keylake.table.options.CommitKeys},
 * {@link io.keylake.table.options.ScanKeys}, or, when it has no effect here, in {@code
 * accepted-options.tsv}), and every other package receives the record of its own concern from
 * {@link io.keylake.table.options.TableOptions}.
 *
 * <p>Unknown keys are kept and ignored. A key whose meaning this version does not carry out is
 * refused by name: {@link io.keylake.table.options.support.WriteSupport} says when, and {@link
 * io.keylake.table.options.support.ReadSupport} refuses only what would be misread.
 */
@NullMarked
package io.keylake.table.options;

import org.jspecify.annotations.NullMarked;
