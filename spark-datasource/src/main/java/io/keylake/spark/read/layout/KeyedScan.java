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

package io.keylake.spark.read.layout;

import java.util.Optional;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;

/** A scan that can tell Spark where its rows are, in the way that a plan needs. */
public interface KeyedScan extends SupportsReportPartitioning {
  /** What the files give; empty when they give nothing, or nothing may be told. */
  Optional<TableLayout> layout();

  /** Whether the layout is reported whatever it costs. */
  boolean isReportedAlways();

  /** How evenly a layout spreads the scan. */
  LayoutWeight weigh(ReportedLayout reported);

  /** The same scan with tasks keyed like this. */
  KeyedScan reporting(ReportedLayout reported);
}
