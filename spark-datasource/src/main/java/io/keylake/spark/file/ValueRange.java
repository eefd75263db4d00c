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

package io.keylake.spark.file;

import java.io.Serializable;

/**
 * Bounds of the values of a column, as literals of {@link
 * io.keylake.format.predicate.Predicate.Leaf}. Every value lies between them, both included; they
 * need not occur.
 *
 * @param min the lower bound
 * @param max the upper bound
 */
public record ValueRange(Object min, Object max) implements Serializable {
  private static final long serialVersionUID = 1L;
}
