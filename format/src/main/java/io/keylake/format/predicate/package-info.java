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
 * Conditions on rows, as far as the metadata plane can use them: {@link
 * io.keylake.format.predicate.Predicate} and its factory {@link
 * io.keylake.format.predicate.Predicates}, tested on statistics by {@link
 * io.keylake.format.predicate.StatsEvaluator} and on whole rows by {@link
 * io.keylake.format.predicate.RowEvaluator}.
 */
@NullMarked
package io.keylake.format.predicate;

import org.jspecify.annotations.NullMarked;
