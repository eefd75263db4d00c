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
 * Table definitions as files: {@link io.keylake.format.schema.TableSchema} is one version, {@link
 * io.keylake.format.schema.SchemaCodec} its JSON, {@link io.keylake.format.schema.SchemaStore} the
 * folder of all versions. {@link io.keylake.format.schema.JsonFile} serves every metadata file that
 * is JSON.
 */
@NullMarked
package io.keylake.format.schema;

import org.jspecify.annotations.NullMarked;
