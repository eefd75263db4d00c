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

package io.keylake.catalog;

import io.keylake.spark.read.layout.LayoutFunction;
import io.keylake.spark.write.bucket.BucketFunctionBinding;
import io.keylake.table.options.BucketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;

/**
 * The functions of the catalog, which are in its root namespace: Spark looks transforms up there.
 */
final class Functions {
  private static final List<BucketFunctionBinding> ALL =
      Arrays.stream(BucketOptions.Function.values()).map(BucketFunctionBinding::new).toList();

  private Functions() {}

  static Identifier[] list() {
    return ALL.stream()
        .map(function -> Identifier.of(new String[0], function.name()))
        .toArray(Identifier[]::new);
  }

  static boolean exists(Identifier function) {
    return find(function).isPresent();
  }

  static UnboundFunction load(Identifier function) throws NoSuchFunctionException {
    return find(function).orElseThrow(() -> new NoSuchFunctionException(function));
  }

  private static Optional<UnboundFunction> find(Identifier name) {
    if (name.namespace().length != 0) {
      return Optional.empty();
    }
    return ALL.stream()
        .filter(function -> function.name().equalsIgnoreCase(name.name()))
        .map(UnboundFunction.class::cast)
        .findFirst()
        .or(() -> LayoutFunction.find(name.name()));
  }
}
