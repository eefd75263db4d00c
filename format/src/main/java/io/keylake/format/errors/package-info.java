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
 * What a user can be told: each failure has a stable {@link io.keylake.format.errors.Condition} and
 * is one of the four kinds of {@link io.keylake.format.errors.TableException}, by what the caller
 * should do about it.
 */
@NullMarked
package io.keylake.format.errors;

import org.jspecify.annotations.NullMarked;
