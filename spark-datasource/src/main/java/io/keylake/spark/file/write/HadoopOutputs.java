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

package io.keylake.spark.file.write;

import io.keylake.format.fileio.Location;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * Opens data files for writing. On local disks Hadoop's checksum files are left out: pages carry
 * checksums, and engines that delete a data file would leave the checksum file behind.
 *
 * @param configuration where file systems are configured
 */
public record HadoopOutputs(Configuration configuration) implements DataFileWriter.Outputs {
  private static final int BUFFER_BYTES = 64 * 1024;

  @Override
  public OutputFile open(Location location) throws IOException {
    Path path = new Path(location.path());
    FileSystem fileSystem = path.getFileSystem(configuration);
    return new NewFile(
        fileSystem instanceof ChecksumFileSystem checked ? checked.getRawFileSystem() : fileSystem,
        path);
  }

  private record NewFile(FileSystem fileSystem, Path path) implements OutputFile {
    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
      long blockBytes = Math.max(fileSystem.getDefaultBlockSize(path), blockSizeHint);
      FSDataOutputStream stream =
          fileSystem.create(
              path, false, BUFFER_BYTES, fileSystem.getDefaultReplication(path), blockBytes);
      return HadoopStreams.wrap(stream);
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return fileSystem.getDefaultBlockSize(path);
    }

    @Override
    public String getPath() {
      return path.toString();
    }
  }
}
