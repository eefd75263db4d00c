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
 * A picture of a table for people: what is read from its metadata ({@link
 * io.keylake.procedures.report.Survey} collects {@link io.keylake.procedures.report.TableFacts}),
 * how it is drawn ({@link io.keylake.procedures.report.ReportPage}, as HTML with SVG), and where
 * the page may be written ({@link io.keylake.procedures.report.ReportFile}).
 */
@NullMarked
package io.keylake.procedures.report;

import org.jspecify.annotations.NullMarked;
