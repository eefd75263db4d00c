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

package io.keylake.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.Changelog;
import org.apache.paimon.FileStore;
import org.apache.paimon.KeyValue;
import org.apache.paimon.KeyValueFileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.fileindex.FileIndexPredicate;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.manifest.ManifestFileMeta;
import org.apache.paimon.manifest.ManifestList;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.types.RowType;

/** Checks every live snapshot, tag, changelog and branch of a table. */
@SuppressWarnings("all") // asks a foreign library through its raw types
public final class ReferenceCheck {
  private final FileStoreTable table;
  private final FileIO io;
  private final String label;
  public final List<String> problems = new ArrayList<>();
  public final List<String> notes = new ArrayList<>();
  private final Set<String> checkedFiles = new HashSet<>();
  private final Set<String> referenced = new HashSet<>();
  private final Map<String, Set<Integer>> fileKeyHashes = new HashMap<>();
  public long snapshots, files, rows, indexFiles, changelogFiles;

  public ReferenceCheck(FileStoreTable table, String label) {
    this.table = table;
    this.io = table.fileIO();
    this.label = label;
  }

  private void bad(String where, String msg) {
    problems.add("PROBLEM " + label + where + ": " + msg);
  }

  public void run(boolean branches) throws Exception {
    Set<Long> seen = new HashSet<>();
    List<Snapshot> live;
    try {
      live = ReferenceTable.snapshots(table);
    } catch (Throwable e) {
      bad("snapshots", "cannot list: " + e);
      return;
    }
    long prev = -1;
    for (Snapshot s : live) {
      if (prev > 0 && s.id() != prev + 1) bad("snapshot " + s.id(), "gap after snapshot " + prev);
      prev = s.id();
      seen.add(s.id());
      guard("snapshot " + s.id(), () -> snapshot(s, "snapshot " + s.id()));
    }
    Long latest = table.snapshotManager().latestSnapshotId();
    if (latest != null && prev != latest)
      bad("hint", "latest " + latest + " but last file " + prev);
    table
        .tagManager()
        .tagObjects()
        .forEach(
            p -> {
              if (!seen.contains(p.getLeft().id())) {
                guard(
                    "tag " + p.getRight(),
                    () -> snapshot(p.getLeft().trimToSnapshot(), "tag " + p.getRight()));
              }
            });
    for (Changelog c : table.changelogManager().safelyGetAllChangelogs()) {
      guard("changelog " + c.id(), () -> changelog(c, "changelog " + c.id()));
    }
    for (Map.Entry<String, Long> c : table.consumerManager().consumers().entrySet()) {
      if (c.getValue() < 1) bad("consumer " + c.getKey(), "next snapshot " + c.getValue());
    }
    if (branches) {
      for (String b : table.branchManager().branches()) {
        ReferenceCheck f = new ReferenceCheck(table.switchToBranch(b), label + "branch " + b + " ");
        f.run(false);
        referenced.addAll(f.referenced);
        problems.addAll(f.problems);
        snapshots += f.snapshots;
        files += f.files;
        rows += f.rows;
      }
      orphans();
    }
  }

  interface Body {
    void run() throws Exception;
  }

  private void guard(String where, Body b) {
    try {
      b.run();
    } catch (Throwable e) {
      StringBuilder m = new StringBuilder(e.toString());
      for (Throwable c = e.getCause(); c != null; c = c.getCause()) m.append(" <- ").append(c);
      StackTraceElement[] st = e.getStackTrace();
      if (st.length > 0) m.append(" at ").append(st[0]);
      bad(where, m.toString());
    }
  }

  // ------------------------------------------------------------------ one snapshot

  private void snapshot(Snapshot s, String w) throws Exception {
    snapshots++;
    FileStore<?> store = table.store();
    if (!table.schemaManager().schemaExists(s.schemaId()))
      bad(w, "schema " + s.schemaId() + " missing");
    ManifestList ml = store.manifestListFactory().create();
    sizeOf(
        w, store.pathFactory().toManifestListPath(s.baseManifestList()), s.baseManifestListSize());
    sizeOf(
        w,
        store.pathFactory().toManifestListPath(s.deltaManifestList()),
        s.deltaManifestListSize());
    for (ManifestFileMeta m : ml.readDataManifests(s)) manifest(w, m);
    long delta = 0;
    for (ManifestFileMeta m : ml.readDeltaManifests(s)) {
      for (ManifestEntry e : store.newScan().readManifest(m)) {
        delta += e.kind() == FileKind.ADD ? e.file().rowCount() : -e.file().rowCount();
      }
    }
    if (delta != s.deltaRecordCount())
      bad(w, "deltaRecordCount " + s.deltaRecordCount() + " but manifests say " + delta);
    if (s.changelogManifestList() != null) {
      sizeOf(
          w,
          store.pathFactory().toManifestListPath(s.changelogManifestList()),
          s.changelogManifestListSize());
      long n = 0;
      for (ManifestFileMeta m : ml.readChangelogManifests(s)) manifest(w, m);
      for (ManifestEntry e :
          store.newScan().withSnapshot(s).withKind(ScanMode.CHANGELOG).plan().files()) {
        n += e.file().rowCount();
        dataFile(w + " changelog", e, true);
        changelogFiles++;
      }
      if (s.changelogRecordCount() != null && n != s.changelogRecordCount())
        bad(w, "changelogRecordCount " + s.changelogRecordCount() + " but files say " + n);
    }

    List<ManifestEntry> es = store.newScan().withSnapshot(s).plan().files();
    long total = 0;
    Map<String, List<ManifestEntry>> levels = new LinkedHashMap<>();
    Map<String, Set<Integer>> totals = new LinkedHashMap<>();
    Map<String, Set<String>> bucketFiles = new HashMap<>();
    for (ManifestEntry e : es) {
      total += e.file().rowCount();
      String pb = part(e.partition()) + "/" + e.bucket();
      bucketFiles.computeIfAbsent(pb, k -> new HashSet<>()).add(e.file().fileName());
      if (e.bucket() >= 0)
        totals.computeIfAbsent(part(e.partition()), k -> new HashSet<>()).add(e.totalBuckets());
      if (e.file().level() > 0)
        levels.computeIfAbsent(pb + "/L" + e.file().level(), k -> new ArrayList<>()).add(e);
      guard(w + " file " + e.file().fileName(), () -> dataFile(w, e, false));
    }
    if (total != s.totalRecordCount())
      bad(w, "totalRecordCount " + s.totalRecordCount() + " but files say " + total);
    totals.forEach(
        (p, t) -> {
          if (t.size() > 1) bad(w, "partition " + p + " mixes total buckets " + t);
        });
    if (!table.primaryKeys().isEmpty()) {
      Comparator<InternalRow> cmp = ((KeyValueFileStore) store).newKeyComparator();
      levels.forEach(
          (k, l) -> {
            l.sort((a, b) -> cmp.compare(a.file().minKey(), b.file().minKey()));
            for (int i = 1; i < l.size(); i++) {
              if (cmp.compare(l.get(i - 1).file().maxKey(), l.get(i).file().minKey()) >= 0)
                bad(
                    w,
                    k
                        + " overlap: "
                        + l.get(i - 1).file().fileName()
                        + " and "
                        + l.get(i).file().fileName());
            }
          });
    }
    index(s, w, bucketFiles, es);
    readAll(s, w);
  }

  private void manifest(String w, ManifestFileMeta m) throws Exception {
    Path p = table.store().pathFactory().toManifestFilePath(m.fileName());
    sizeOf(w, p, m.fileSize());
    long add = 0, del = 0;
    int lo = Integer.MAX_VALUE,
        hi = Integer.MIN_VALUE,
        ll = Integer.MAX_VALUE,
        lh = Integer.MIN_VALUE;
    RowType pt = table.schema().logicalPartitionType();
    List<InternalRow> parts = new ArrayList<>();
    for (ManifestEntry e : table.store().newScan().readManifest(m)) {
      if (e.kind() == FileKind.ADD) add++;
      else del++;
      lo = Math.min(lo, e.bucket());
      hi = Math.max(hi, e.bucket());
      ll = Math.min(ll, e.level());
      lh = Math.max(lh, e.level());
      parts.add(e.partition());
    }
    if (add != m.numAddedFiles() || del != m.numDeletedFiles())
      bad(
          w,
          "manifest "
              + m.fileName()
              + " has "
              + add
              + "+/"
              + del
              + "- but list says "
              + m.numAddedFiles()
              + "/"
              + m.numDeletedFiles());
    if (add + del > 0) {
      if (m.minBucket() != null && (m.minBucket() != lo || m.maxBucket() != hi))
        bad(
            w,
            "manifest "
                + m.fileName()
                + " bucket range "
                + m.minBucket()
                + ".."
                + m.maxBucket()
                + " but "
                + lo
                + ".."
                + hi);
      if (m.minLevel() != null && (m.minLevel() != ll || m.maxLevel() != lh))
        bad(
            w,
            "manifest "
                + m.fileName()
                + " level range "
                + m.minLevel()
                + ".."
                + m.maxLevel()
                + " but "
                + ll
                + ".."
                + lh);
    }
    if (pt.getFieldCount() > 0) {
      ColCheck[] cs = collect(pt, parts);
      stats(w + " manifest " + m.fileName() + " partition stats", pt, m.partitionStats(), null, cs);
    }
  }

  private void sizeOf(String w, Path p, Long want) throws Exception {
    referenced.add(p.getName());
    if (!io.exists(p)) {
      bad(w, "missing " + p.getName());
      return;
    }
    long n = io.getFileSize(p);
    if (want != null && n != want)
      bad(w, p.getName() + " has " + n + " bytes, metadata says " + want);
  }

  // ------------------------------------------------------------------ one data file

  private String part(BinaryRow p) {
    return ReferenceValues.out(p, table.schema().logicalPartitionType());
  }

  private FileStoreTable at(long schemaId) {
    TableSchema s = table.schemaManager().schema(schemaId);
    return table.copy(s);
  }

  private void dataFile(String w, ManifestEntry e, boolean changelog) throws Exception {
    DataFileMeta f = e.file();
    referenced.add(f.fileName());
    referenced.addAll(f.extraFiles());
    DataFilePathFactory pf =
        table.store().pathFactory().createDataFilePathFactory(e.partition(), e.bucket());
    String here = w + " file " + f.fileName();
    // level may change between snapshots, the content may not
    if (!checkedFiles.add(
        f.fileName()
            + "#"
            + e.bucket()
            + "#"
            + part(e.partition())
            + "#"
            + f.rowCount()
            + "#"
            + f.schemaId())) return;
    files++;
    Path path = pf.toPath(f);
    if (!io.exists(path)) {
      bad(here, "missing " + path);
      return;
    }
    if (io.getFileSize(path) != f.fileSize())
      bad(here, "size " + io.getFileSize(path) + " but metadata " + f.fileSize());
    for (String x : f.extraFiles()) {
      if (!io.exists(pf.toAlignedPath(x, f))) bad(here, "missing extra file " + x);
    }
    if (!table.schemaManager().schemaExists(f.schemaId())) {
      bad(here, "schema " + f.schemaId() + " missing");
      return;
    }
    FileStoreTable t = at(f.schemaId());
    RowType type = t.rowType();
    boolean pk = !table.primaryKeys().isEmpty();
    List<InternalRow> all = new ArrayList<>();
    long n = 0;
    if (pk) {
      KeyValueFileStore store = (KeyValueFileStore) t.store();
      RowType keyType = t.schema().logicalTrimmedPrimaryKeysType();
      Comparator<InternalRow> cmp = store.newKeyComparator();
      var kser = new org.apache.paimon.data.serializer.InternalRowSerializer(keyType);
      var vser = new org.apache.paimon.data.serializer.InternalRowSerializer(type);
      RecordReader<KeyValue> rr =
          store
              .newReaderFactoryBuilder()
              .build(e.partition(), e.bucket(), DeletionVector.emptyFactory())
              .createRecordReader(f);
      BinaryRow first = null, last = null;
      long minSeq = Long.MAX_VALUE, maxSeq = Long.MIN_VALUE, deletes = 0;
      int unordered = 0, dup = 0, wrongKey = 0;
      List<InternalRow> keys = new ArrayList<>();
      Set<Integer> hashes = new HashSet<>();
      int[] keyAt =
          keyType.getFieldNames().stream().mapToInt(k -> type.getFieldNames().indexOf(k)).toArray();
      try (RecordReaderIterator<KeyValue> it = new RecordReaderIterator<>(rr)) {
        while (it.hasNext()) {
          KeyValue kv = it.next();
          n++;
          BinaryRow key = kser.toBinaryRow(kv.key()).copy();
          if (last != null) {
            int c = cmp.compare(last, key);
            if (c > 0) unordered++;
            if (c == 0) dup++;
          }
          if (first == null) first = key;
          last = key;
          keys.add(key);
          hashes.add(key.hashCode());
          minSeq = Math.min(minSeq, kv.sequenceNumber());
          maxSeq = Math.max(maxSeq, kv.sequenceNumber());
          if (!kv.isAdd()) deletes++;
          InternalRow v = vser.toBinaryRow(kv.value()).copy();
          for (int i = 0; i < keyAt.length; i++) {
            DataType kt = keyType.getTypeAt(i);
            Object a = InternalRow.createFieldGetter(kt, i).getFieldOrNull(key);
            Object b =
                InternalRow.createFieldGetter(type.getTypeAt(keyAt[i]), keyAt[i]).getFieldOrNull(v);
            if (!ReferenceValues.text(a, kt).equals(ReferenceValues.text(b, kt))) wrongKey++;
          }
          all.add(v);
        }
      }
      fileKeyHashes.put(f.fileName(), hashes);
      boolean postpone = e.bucket() == BucketMode.POSTPONE_BUCKET;
      if (!changelog && !postpone) {
        if (unordered > 0) bad(here, unordered + " keys out of order");
        if (dup > 0) bad(here, dup + " duplicate keys");
      }
      if (wrongKey > 0) bad(here, wrongKey + " keys differ from the value columns");
      if (n > 0 && !postpone && unordered == 0) {
        if (cmp.compare(first, f.minKey()) != 0)
          bad(
              here,
              "minKey "
                  + ReferenceValues.out(f.minKey(), keyType)
                  + " but first "
                  + ReferenceValues.out(first, keyType));
        if (cmp.compare(last, f.maxKey()) != 0)
          bad(
              here,
              "maxKey "
                  + ReferenceValues.out(f.maxKey(), keyType)
                  + " but last "
                  + ReferenceValues.out(last, keyType));
        if (!first.equals(f.minKey())) bad(here, "minKey bytes are not the canonical binary row");
        if (!last.equals(f.maxKey())) bad(here, "maxKey bytes are not the canonical binary row");
      }
      if (n > 0
          && !postpone
          && (minSeq != f.minSequenceNumber() || maxSeq != f.maxSequenceNumber()))
        bad(
            here,
            "sequence "
                + f.minSequenceNumber()
                + ".."
                + f.maxSequenceNumber()
                + " but "
                + minSeq
                + ".."
                + maxSeq);
      if (f.deleteRowCount().isPresent() && f.deleteRowCount().get() != deletes)
        bad(here, "deleteRowCount " + f.deleteRowCount().get() + " but " + deletes);
      if (f.level() > 0 && e.bucket() < 0)
        bad(here, "level " + f.level() + " in bucket " + e.bucket());
      // the key columns are named _KEY_x in key stats
      List<DataField> kf = new ArrayList<>();
      keyType.getFields().forEach(x -> kf.add(x));
      stats(here + " keyStats", new RowType(kf), f.keyStats(), null, collect(keyType, keys));
    } else {
      AppendOnlyFileStore store = (AppendOnlyFileStore) t.store();
      if (t.coreOptions().dataEvolutionEnabled()) {
        notes.add("NOTE " + label + here + ": data evolution file, content not checked alone");
        return;
      }
      RecordReader<InternalRow> rr =
          store
              .newRead()
              .createReader(
                  e.partition(),
                  e.bucket(),
                  List.of(f),
                  (Map<String, org.apache.paimon.utils.IOExceptionSupplier<DeletionVector>>) null);
      var vser = new org.apache.paimon.data.serializer.InternalRowSerializer(type);
      try (RecordReaderIterator<InternalRow> it = new RecordReaderIterator<>(rr)) {
        while (it.hasNext()) {
          all.add(vser.toBinaryRow(it.next()).copy());
          n++;
        }
      }
      if (f.minSequenceNumber() > f.maxSequenceNumber() && n > 0)
        bad(here, "sequence " + f.minSequenceNumber() + ".." + f.maxSequenceNumber());
    }
    rows += n;
    if (n != f.rowCount()) bad(here, "rowCount " + f.rowCount() + " but " + n + " rows in it");
    ColCheck[] cs = collect(type, all);
    stats(here + " valueStats", type, f.valueStats(), f.valueStatsCols(), cs);
    placement(here, t, e, type, all);
    fileIndex(here, f, pf, type, all);
  }

  private void placement(
      String here, FileStoreTable t, ManifestEntry e, RowType type, List<InternalRow> all) {
    RowType pt = t.schema().logicalPartitionType();
    String want = ReferenceValues.out(e.partition(), pt);
    int[] at = pt.getFieldNames().stream().mapToInt(k -> type.getFieldNames().indexOf(k)).toArray();
    int wrongPart = 0, wrongBucket = 0;
    RowKeyExtractor x = null;
    if (e.bucket() >= 0
        && e.totalBuckets() > 0
        && (t.bucketMode() == BucketMode.HASH_FIXED
            || t.bucketMode() == BucketMode.POSTPONE_MODE)) {
      x =
          t.copy(t.schema().copy(merge(t.schema().options(), "bucket", "" + e.totalBuckets())))
              .createRowKeyExtractor();
    }
    for (InternalRow r : all) {
      if (at.length > 0) {
        org.apache.paimon.data.GenericRow g = new org.apache.paimon.data.GenericRow(at.length);
        for (int i = 0; i < at.length; i++)
          g.setField(
              i, InternalRow.createFieldGetter(type.getTypeAt(at[i]), at[i]).getFieldOrNull(r));
        if (!ReferenceValues.out(g, pt).equals(want)) wrongPart++;
      }
      if (x != null) {
        x.setRecord(r);
        if (x.bucket() != e.bucket()) wrongBucket++;
      }
    }
    if (wrongPart > 0) bad(here, wrongPart + " rows of another partition");
    if (wrongBucket > 0)
      bad(
          here,
          wrongBucket
              + " rows of another bucket (bucket "
              + e.bucket()
              + " of "
              + e.totalBuckets()
              + ")");
  }

  static Map<String, String> merge(Map<String, String> a, String k, String v) {
    Map<String, String> m = new HashMap<>(a);
    m.put(k, v);
    return m;
  }

  // ------------------------------------------------------------------ stats

  static final class ColCheck {
    long nulls;
    Object min, max;
    boolean nan;
  }

  private static ColCheck[] collect(RowType type, List<InternalRow> rows) {
    ColCheck[] cs = new ColCheck[type.getFieldCount()];
    for (int i = 0; i < cs.length; i++) {
      ColCheck c = cs[i] = new ColCheck();
      DataType dt = type.getTypeAt(i);
      InternalRow.FieldGetter g = InternalRow.createFieldGetter(dt, i);
      for (InternalRow r : rows) {
        Object o = g.getFieldOrNull(r);
        if (o == null) {
          c.nulls++;
          continue;
        }
        if (o instanceof Double && ((Double) o).isNaN()
            || o instanceof Float && ((Float) o).isNaN()) c.nan = true;
        if (o instanceof Comparable) {
          if (c.min == null || compare(o, c.min) < 0) c.min = o;
          if (c.max == null || compare(o, c.max) > 0) c.max = o;
        }
      }
    }
    return cs;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(Object a, Object b) {
    return ((Comparable) a).compareTo(b);
  }

  private void stats(String here, RowType type, SimpleStats st, List<String> cols, ColCheck[] cs) {
    List<String> names = new ArrayList<>(cols == null ? type.getFieldNames() : cols);
    if (cols == null
        && table.coreOptions().rowTrackingEnabled()
        && st.minValues().getFieldCount() == names.size() + 2) {
      names.add("_ROW_ID"); // files rewritten by compaction carry the row tracking columns
      names.add("_SEQUENCE_NUMBER");
    }
    InternalRow min = st.minValues(), max = st.maxValues();
    InternalArray nulls = st.nullCounts();
    if (min.getFieldCount() == 0 && names.size() > 0 && nulls.size() == 0)
      return; // no stats stored
    if (min.getFieldCount() != names.size()
        || max.getFieldCount() != names.size()
        || nulls.size() != names.size()) {
      bad(
          here,
          "has "
              + min.getFieldCount()
              + "/"
              + max.getFieldCount()
              + "/"
              + nulls.size()
              + " values for "
              + names.size()
              + " columns");
      return;
    }
    for (int i = 0; i < names.size(); i++) {
      int c = type.getFieldNames().indexOf(names.get(i));
      if (c < 0 && (names.get(i).equals("_ROW_ID") || names.get(i).equals("_SEQUENCE_NUMBER")))
        continue;
      if (c < 0) {
        bad(here, "stats of unknown column " + names.get(i));
        continue;
      }
      DataType dt = type.getTypeAt(c);
      ColCheck k = cs[c];
      if (!nulls.isNullAt(i) && nulls.getLong(i) != k.nulls) {
        // Parquet and ORC count leaf nulls for nested columns
        String root = dt.getTypeRoot().name();
        if (!Set.of("ARRAY", "MAP", "ROW", "MULTISET", "VARIANT").contains(root))
          bad(here, names.get(i) + " nullCount " + nulls.getLong(i) + " but " + k.nulls);
      }
      Object lo, hi;
      try {
        lo = InternalRow.createFieldGetter(dt.copy(true), i).getFieldOrNull(min);
        hi = InternalRow.createFieldGetter(dt.copy(true), i).getFieldOrNull(max);
      } catch (RuntimeException e) {
        bad(here, names.get(i) + " unreadable: " + e);
        continue;
      }
      if (k.nan) continue;
      if (k.min == null) {
        if ((lo != null || hi != null) && lo instanceof Comparable)
          bad(
              here,
              names.get(i)
                  + " has bounds "
                  + ReferenceValues.text(lo, dt)
                  + ".."
                  + ReferenceValues.text(hi, dt)
                  + " but no value");
        continue;
      }
      boolean str = k.min instanceof BinaryString;
      if (str && dt.getTypeRoot().name().equals("CHAR")) continue; // padding differs per format
      if (lo != null) {
        int d = compare(lo, k.min);
        boolean ok = str ? d <= 0 && k.min.toString().startsWith(lo.toString()) : d == 0;
        if (!ok && !zero(lo, k.min))
          bad(
              here,
              names.get(i)
                  + " min "
                  + ReferenceValues.text(lo, dt)
                  + " but "
                  + ReferenceValues.text(k.min, dt));
      }
      if (hi != null) {
        int d = compare(hi, k.max);
        boolean ok = str ? d >= 0 : d == 0;
        if (!ok && !zero(hi, k.max))
          bad(
              here,
              names.get(i)
                  + " max "
                  + ReferenceValues.text(hi, dt)
                  + " but "
                  + ReferenceValues.text(k.max, dt));
      }
    }
  }

  private static boolean zero(Object a, Object b) {
    return a instanceof Number
        && b instanceof Number
        && ((Number) a).doubleValue() == 0
        && ((Number) b).doubleValue() == 0;
  }

  // ------------------------------------------------------------------ file index

  private void fileIndex(
      String here, DataFileMeta f, DataFilePathFactory pf, RowType type, List<InternalRow> all)
      throws Exception {
    FileIndexPredicate fip = null;
    if (f.embeddedIndex() != null) fip = new FileIndexPredicate(f.embeddedIndex(), type);
    else {
      for (String x : f.extraFiles())
        if (x.endsWith(DataFilePathFactory.INDEX_PATH_SUFFIX))
          fip = new FileIndexPredicate(pf.toAlignedPath(x, f), io, type);
    }
    if (fip == null) return;
    indexFiles++;
    try (FileIndexPredicate p = fip) {
      PredicateBuilder pb = new PredicateBuilder(type);
      int step = Math.max(1, all.size() / 200);
      for (int c = 0; c < type.getFieldCount(); c++) {
        InternalRow.FieldGetter g = InternalRow.createFieldGetter(type.getTypeAt(c), c);
        int miss = 0;
        for (int i = 0; i < all.size(); i += step) {
          Object o = g.getFieldOrNull(all.get(i));
          if (o == null || !(o instanceof Comparable)) continue;
          if (!p.evaluate(pb.equal(c, o)).remain()) miss++;
        }
        if (miss > 0)
          bad(
              here,
              "file index denies " + miss + " present values of " + type.getFieldNames().get(c));
      }
    }
  }

  // ------------------------------------------------------------------ index manifest

  private void index(
      Snapshot s, String w, Map<String, Set<String>> bucketFiles, List<ManifestEntry> es)
      throws Exception {
    if (s.indexManifest() == null) return;
    var h = table.store().newIndexFileHandler();
    referenced.add(s.indexManifest());
    if (!h.existsManifest(s.indexManifest())) {
      bad(w, "missing index manifest " + s.indexManifest());
      return;
    }
    Set<String> dvSeen = new HashSet<>();
    for (IndexManifestEntry e : h.readManifest(s.indexManifest())) {
      String here = w + " index " + e.indexFile().fileName();
      referenced.add(e.indexFile().fileName());
      if (!h.existsIndexFile(e)) {
        bad(here, "missing");
        continue;
      }
      long size = io.getFileSize(h.filePath(e));
      if (size != e.indexFile().fileSize())
        bad(here, "size " + size + " but metadata " + e.indexFile().fileSize());
      String pb = part(e.partition()) + "/" + e.bucket();
      if (e.indexFile().indexType().equals("DELETION_VECTORS")) {
        Map<String, DeletionVector> dvs = h.readAllDeletionVectors(e);
        if (dvs.size() != e.indexFile().rowCount())
          bad(here, "rowCount " + e.indexFile().rowCount() + " but " + dvs.size() + " vectors");
        dvs.forEach(
            (file, dv) -> {
              if (!dvSeen.add(pb + file)) bad(here, "second vector of " + file);
              var meta = e.indexFile().dvRanges().get(file);
              if (meta.cardinality() != null && meta.cardinality() != dv.getCardinality())
                bad(
                    here,
                    "cardinality of "
                        + file
                        + " is "
                        + dv.getCardinality()
                        + " not "
                        + meta.cardinality());
              ManifestEntry me =
                  es.stream()
                      .filter(
                          x ->
                              x.file().fileName().equals(file)
                                  && (part(x.partition()) + "/" + x.bucket()).equals(pb))
                      .findFirst()
                      .orElse(null);
              if (me == null) bad(here, "vector of unknown file " + file + " in " + pb);
              else {
                if (dv.getCardinality() > me.file().rowCount())
                  bad(here, "more deletions than rows in " + file);
                for (long i = me.file().rowCount(); i < me.file().rowCount() + 64; i++)
                  if (dv.isDeleted(i)) bad(here, "position past the end of " + file);
              }
            });
      } else if (e.indexFile().indexType().equals("HASH")) {
        Set<Integer> have = new HashSet<>();
        int[] vals =
            h.hashIndex(e.partition(), e.bucket()).readList(e.indexFile()).stream()
                .mapToInt(i -> i)
                .toArray();
        for (int v : vals) have.add(v);
        if (have.size() != vals.length) bad(here, "duplicate hashes");
        if (vals.length != e.indexFile().rowCount())
          bad(here, "rowCount " + e.indexFile().rowCount() + " but " + vals.length);
        for (String file : bucketFiles.getOrDefault(pb, Set.of())) {
          Set<Integer> hs = fileKeyHashes.getOrDefault(file, Set.of());
          long missing = hs.stream().filter(x -> !have.contains(x)).count();
          if (missing > 0) bad(here, missing + " key hashes of " + file + " are not in the index");
        }
      }
    }
  }

  // ------------------------------------------------------------------ changelog kept longer than
  // its snapshot

  private void changelog(Changelog c, String w) throws Exception {
    if (c.changelogManifestList() == null) return;
    ManifestList ml = table.store().manifestListFactory().create();
    sizeOf(
        w,
        table.store().pathFactory().toManifestListPath(c.changelogManifestList()),
        c.changelogManifestListSize());
    long n = 0;
    for (ManifestFileMeta m : ml.readChangelogManifests(c)) {
      manifest(w, m);
      for (ManifestEntry e : table.store().newScan().readManifest(m)) {
        dataFile(w, e, true);
        n += e.file().rowCount();
        changelogFiles++;
      }
    }
    if (c.changelogRecordCount() != null && n != c.changelogRecordCount())
      bad(w, "changelogRecordCount " + c.changelogRecordCount() + " but " + n);
  }

  // ------------------------------------------------------------------ merged read

  private void readAll(Snapshot s, String w) throws Exception {
    FileStoreTable t = table.copy(Map.of("scan.snapshot-id", String.valueOf(s.id())));
    ReadBuilder rb = t.newReadBuilder();
    List<Split> splits;
    if (table.snapshotManager().snapshotExists(s.id())) splits = rb.newScan().plan().splits();
    else splits = new ArrayList<>(table.newSnapshotReader().withSnapshot(s).read().splits());
    RowType type = t.rowType();
    boolean pk = !table.primaryKeys().isEmpty();
    int[] at =
        table.primaryKeys().stream().mapToInt(k -> type.getFieldNames().indexOf(k)).toArray();
    Set<String> keys = new LinkedHashSet<>();
    int dup = 0;
    try (var iom = ReferenceTable.io()) {
      for (Split sp : splits) {
        long n = 0;
        RecordReader<InternalRow> r = rb.newRead().withIOManager(iom).createReader(sp);
        try (RecordReaderIterator<InternalRow> it = new RecordReaderIterator<>(r)) {
          while (it.hasNext()) {
            InternalRow row = it.next();
            n++;
            if (row.getRowKind() != RowKind.INSERT && row.getRowKind() != RowKind.UPDATE_AFTER)
              bad(w, "batch read gave a row of kind " + row.getRowKind());
            if (pk) {
              StringBuilder b = new StringBuilder();
              for (int i : at)
                ReferenceValues.out(
                    b,
                    InternalRow.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row),
                    type.getTypeAt(i));
              if (!keys.add(b.toString())) dup++;
            }
          }
        }
        if (sp instanceof DataSplit) {
          var m = ((DataSplit) sp).mergedRowCount();
          if (m.isPresent() && m.getAsLong() != n)
            bad(w, "split says " + m.getAsLong() + " merged rows but gave " + n);
        }
      }
    }
    if (dup > 0) bad(w, dup + " duplicate primary keys in the merged rows");
  }

  // ------------------------------------------------------------------ files nothing refers to

  private void orphans() throws Exception {
    List<Path> todo = new ArrayList<>(List.of(table.location()));
    while (!todo.isEmpty()) {
      Path d = todo.remove(todo.size() - 1);
      for (FileStatus f : io.listStatus(d)) {
        String n = f.getPath().getName();
        if (f.isDir()) {
          if (!Set.of(
                  "snapshot",
                  "schema",
                  "tag",
                  "branch",
                  "consumer",
                  "changelog",
                  "statistics",
                  "service")
              .contains(n)) todo.add(f.getPath());
        } else if (!referenced.contains(n)
            && !n.startsWith(".")
            && !Objects.equals(n, "_SUCCESS")) {
          notes.add("NOTE " + label + "unreferenced file " + n);
        }
      }
    }
  }
}
