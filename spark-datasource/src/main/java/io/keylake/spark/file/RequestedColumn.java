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

import io.keylake.format.types.DataType;

/**
 * A column that is asked of a file.
 *
 * @param name its name in the file
 * @param stored its type in the file's schema
 * @param type the type in which Spark's vector shall hold it; fields of structs by the file's
 *     names, those the file lacks by names that it does not have
 */
record RequestedColumn(String name, DataType stored, org.apache.spark.sql.types.DataType type) {}
