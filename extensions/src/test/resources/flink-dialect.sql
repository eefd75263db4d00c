-- Statements as Flink pipelines write them. A line "--> row" is a row that the statement above it
-- gives, its values separated by a comma; statements end with a semicolon at the end of a line.

CREATE TABLE IF NOT EXISTS customers (
  id BIGINT,
  name STRING COMMENT 'as in the register',
  tags MULTISET<STRING>,
  address ROW<city STRING, zip INT>,
  since TIMESTAMP(3),
  seen TIMESTAMP_LTZ(3),
  photo BYTES,
  PRIMARY KEY (id) NOT ENFORCED
) COMMENT 'customers' WITH (
  'connector' = 'paimon',
  'bucket' = '2',
  'changelog-producer' = 'input'
);

CREATE TABLE orders (
  order_id BIGINT,
  customer BIGINT,
  price DECIMAL(10, 2),
  currency STRING,
  dt STRING,
  hh STRING,
  PRIMARY KEY (dt, hh, order_id) NOT ENFORCED
) PARTITIONED BY (dt, hh) WITH ('bucket' = '1');

INSERT INTO `lake`.`db`.`customers` VALUES
  (1, 'ada', MAP['vip', 1], ROW('Paris', 75001), TIMESTAMP_NTZ '2024-01-01 10:00:00.123', TIMESTAMP '2024-01-07 09:00:00', X'01'),
  (2, 'bob', MAP['new', 2, 'web', 1], ROW('Rome', 100), TIMESTAMP_NTZ '2024-01-02 11:00:00', TIMESTAMP '2024-01-08 09:00:00', X'0203');

SELECT id, name, tags['web'], address.city, since, hex(photo) FROM customers ORDER BY id;
--> 1,ada,null,Paris,2024-01-01T10:00:00.123,01
--> 2,bob,1,Rome,2024-01-02T11:00,0203

INSERT INTO orders /*+ OPTIONS('sink.parallelism' = '10') */ SELECT * FROM VALUES
  (1, 1, 10.50, 'EUR', '20240107', '05'),
  (2, 2, 20.00, 'USD', '20240108', '06'),
  (3, 1, 30.00, 'UNKNOWN', '20240108', '06'),
  (4, 2, 40.00, 'EUR', '20240108', '07') AS s(order_id, customer, price, currency, dt, hh);

DELETE FROM orders WHERE currency = 'UNKNOWN';

SELECT order_id FROM orders /*+ OPTIONS('scan.snapshot-id' = '1') */ ORDER BY order_id;
--> 1
--> 2
--> 3
--> 4

SELECT order_id FROM orders /*+ OPTIONS('scan.parallelism' = '2') */ WHERE dt = sys.max_pt('orders') ORDER BY order_id;
--> 2
--> 4

INSERT OVERWRITE orders PARTITION (dt = '20240108', hh = '06') SELECT 5, 1, 50.00, 'EUR';

SELECT order_id, hh FROM orders ORDER BY order_id;
--> 1,05
--> 4,07
--> 5,06

INSERT OVERWRITE orders /*+ OPTIONS('dynamic-partition-overwrite' = 'true') */ SELECT 6, 2, 60.00, 'USD', '20240108', '07';

SELECT order_id, hh FROM orders ORDER BY order_id;
--> 1,05
--> 5,06
--> 6,07

SELECT o.order_id, c.name
FROM (SELECT order_id, customer, PROCTIME() AS proc_time FROM orders) AS o
JOIN customers /*+ OPTIONS('lookup.cache-rows' = '20000') */ FOR SYSTEM_TIME AS OF o.proc_time AS c
ON o.customer = c.id ORDER BY o.order_id;
--> 1,ada
--> 5,ada
--> 6,bob

SELECT id, name FROM customers /*+ OPTIONS('incremental-between' = '0,1') */ ORDER BY id;
--> 1,ada
--> 2,bob

CREATE TABLE lines (order_id BIGINT PRIMARY KEY NOT ENFORCED, items ARRAY<ROW<name STRING, amount INT>>) WITH ('bucket' = '1', 'merge-engine' = 'partial-update');

INSERT INTO lines VALUES (1, ARRAY[ROW('pen', 2)]), (2, ARRAY[ROW('ink', 1), ROW('cap', 3)]);

SELECT order_id, items[0].name, size(items) FROM lines ORDER BY order_id;
--> 1,pen,1
--> 2,ink,2

ALTER TABLE customers SET ('snapshot.num-retained.max' = '50');

SHOW TBLPROPERTIES customers ('snapshot.num-retained.max');
--> snapshot.num-retained.max,50

ALTER TABLE customers RESET ('snapshot.num-retained.max');

CREATE TABLE totals WITH ('bucket' = '1', 'primary-key' = 'currency') AS SELECT currency, SUM(price) AS total FROM orders GROUP BY currency;

SELECT * FROM totals ORDER BY currency;
--> EUR,60.50
--> USD,60.00

INSERT OVERWRITE orders /*+ OPTIONS('dynamic-partition-overwrite' = 'false') */ SELECT 7, 1, 70.00, 'EUR', '20240109', '01';

SELECT order_id FROM orders;
--> 7

CREATE TABLE renamed (a INT, b TIMESTAMP(3)) USING paimon TBLPROPERTIES ('bucket' = '1', 'bucket-key' = 'a');

INSERT INTO renamed VALUES (1, TIMESTAMP_NTZ '2024-01-01 00:00:00');

SELECT * FROM renamed;
--> 1,2024-01-01T00:00
