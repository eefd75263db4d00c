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
 * All access to storage, and the only package that knows Hadoop: {@link
 * io.keylake.format.fileio.FileIO} is the contract, {@link io.keylake.format.fileio.HadoopFileIO}
 * keeps it over any Hadoop file system, and a {@code Publisher} per kind of storage makes a file
 * appear atomically.
 */
@NullMarked
package io.keylake.format.fileio;

import org.jspecify.annotations.NullMarked;
