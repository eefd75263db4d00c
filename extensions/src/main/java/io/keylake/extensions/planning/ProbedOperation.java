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

package io.keylake.extensions.planning;

import io.keylake.spark.read.KeylakeScanBuilder;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A row-level statement whose scan takes filters while the query runs. */
record ProbedOperation(SupportsDelta statement) implements SupportsDelta {
  @Override
  public Command command() {
    return statement.command();
  }

  @Override
  public String description() {
    return statement.description();
  }

  @Override
  public NamedReference[] rowId() {
    return statement.rowId();
  }

  @Override
  public NamedReference[] requiredMetadataAttributes() {
    return statement.requiredMetadataAttributes();
  }

  @Override
  public boolean representUpdateAsDeleteAndInsert() {
    return statement.representUpdateAsDeleteAndInsert();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    ScanBuilder builder = statement.newScanBuilder(options);
    return builder instanceof KeylakeScanBuilder keylake
        ? keylake.offeringRuntimeFilters()
        : builder;
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return statement.newWriteBuilder(info);
  }
}
