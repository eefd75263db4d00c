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

package io.keylake.format.fileio;

/**
 * What a listing says of one file or folder.
 *
 * @param location its full address
 * @param length bytes; 0 for a folder
 * @param modifiedMillis time of the last change, milliseconds since the epoch
 * @param isDirectory whether it is a folder
 */
public record FileStatus(
    Location location, long length, long modifiedMillis, boolean isDirectory) {}
