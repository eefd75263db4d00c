package io.keylake.format.fileio;

/**
 * What a listing says of one file or folder.
 *
 * @param location its full address
 * @param length bytes; 0 for a folder
 * @param modifiedMillis time of the last change, milliseconds since the epoch
 * @param isDirectory whether it is a folder
 */
public record FileStatus(Location location, long length, long modifiedMillis, boolean isDirectory) {}
