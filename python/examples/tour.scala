// Keylake in spark-shell: a table is made, upserted, streamed, compacted and looked at.
//
//   spark-shell --jars "$(./keylake jar)" \
//     --conf spark.sql.extensions=io.keylake.extensions.KeylakeExtensions \
//     --conf spark.sql.catalog.lake=io.keylake.catalog.KeylakeCatalog \
//     --conf spark.sql.catalog.lake.warehouse=/tmp/lake \
//     -I python/examples/tour.scala

import org.apache.spark.sql.functions._
import org.apache.spark.sql.streaming.Trigger

def check(what: String, holds: Boolean): Unit =
  if (holds) println(s"tour: $what") else { println(s"tour: FAILED: $what"); sys.exit(1) }

spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.tour")
spark.sql("DROP TABLE IF EXISTS lake.tour.orders")
spark.sql("DROP TABLE IF EXISTS lake.tour.totals")
spark.sql(
  """CREATE TABLE lake.tour.orders (id BIGINT, customer STRING, amount DECIMAL(10, 2),
    |  PRIMARY KEY (id) NOT ENFORCED)""".stripMargin)

// Rows come in; a row with a known key replaces the old one.
Seq((1L, "ada", BigDecimal(10)), (2L, "bob", BigDecimal(20)), (3L, "ada", BigDecimal(5)))
  .toDF("id", "customer", "amount").writeTo("lake.tour.orders").append()
Seq((2L, "bob", BigDecimal(25))).toDF("id", "customer", "amount").writeTo("lake.tour.orders").append()
check("the newer row is seen", spark.table("lake.tour.orders").filter($"id" === 2).select($"amount".cast("int")).as[Int].head() == 25)

// MERGE by DataFrame.
val news = Seq((3L, "ada", BigDecimal(6)), (4L, "cyd", BigDecimal(40))).toDF("id", "customer", "amount")
news.as("news").mergeInto("lake.tour.orders", expr("lake.tour.orders.id = news.id"))
  .whenMatched().updateAll().whenNotMatched().insertAll().merge()
check("the merge has added a row", spark.table("lake.tour.orders").count() == 4)
check("older versions stay", spark.sql("SELECT * FROM lake.tour.orders VERSION AS OF 1").count() == 3)

// A stream of the table into another one, which sums per customer.
spark.sql(
  """CREATE TABLE lake.tour.totals (customer STRING, amount DECIMAL(20, 2), PRIMARY KEY (customer) NOT ENFORCED)
    |""".stripMargin)
val checkpoint = java.nio.file.Files.createTempDirectory("tour").toString
val query = spark.readStream.table("lake.tour.orders")
  .groupBy("customer").agg(sum("amount").cast("decimal(20, 2)").as("amount"))
  .writeStream.outputMode("update").option("checkpointLocation", checkpoint)
  .trigger(Trigger.AvailableNow()).toTable("lake.tour.totals")
query.awaitTermination()
check("the stream has summed", spark.table("lake.tour.totals").filter($"customer" === "ada").select($"amount".cast("int")).as[Int].head() == 16)

// Upkeep, and what happened.
spark.sql("CALL lake.sys.compact(table => 'tour.orders')").show()
spark.sql("SELECT snapshot_id, commit_kind, delta_record_count FROM lake.tour.orders.snapshots ORDER BY 1").show()
check("done", true)
System.exit(0)
