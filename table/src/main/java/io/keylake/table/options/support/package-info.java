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
 * What this version does with the options of a table: whether it may write the table ({@link
 * io.keylake.table.options.support.WriteSupport}) or read it ({@link
 * io.keylake.table.options.support.ReadSupport}), and which options may change when ({@link
 * io.keylake.table.options.support.OptionChanges}).
 */
@NullMarked
package io.keylake.table.options.support;

import org.jspecify.annotations.NullMarked;
