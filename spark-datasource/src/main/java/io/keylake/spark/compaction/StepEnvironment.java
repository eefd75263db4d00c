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

package io.keylake.spark.compaction;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.spark.merge.runs.StopCheck;
import java.time.Clock;

/**
 * Where the steps of a compaction run.
 *
 * @param root the table's folder
 * @param branch the branch that is compacted
 * @param io how files are reached
 * @param ids gives names of new files
 * @param clock tells, in its zone, when files were made
 * @param tasks how many tasks share this process: bounds what is held of open files
 * @param stop looked at between batches
 */
public record StepEnvironment(
    Location root,
    String branch,
    HadoopFileIO io,
    Ids ids,
    Clock clock,
    int tasks,
    StopCheck stop) {}
