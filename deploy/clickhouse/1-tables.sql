-- The tables of analytics in ClickHouse. `landfall analytics clickhouse` applies these files, as often as you like: a change of
-- a table is an `alter table … if not exists` below it.

-- One public event, without addresses, user agents and emails. An event that Kafka delivers again has the same key: it replaces
-- the row, and questions read the table with FINAL.
create table if not exists facts
(
  app_id         UUID,
  -- The kind of event, see `kinds` in services/analytics.
  kind           UInt8,
  at             DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD),
  id             UUID,
  link_id        Nullable(UUID),
  -- The first half of the hash of a device.
  device         Nullable(UUID),
  -- Of a click: one number for a person on one day. The secret that made it is deleted after two days.
  visitor        Nullable(UInt64),
  -- Of a restored link: the click, and its time.
  click_id       Nullable(UUID),
  clicked_at     Nullable(DateTime64(3, 'UTC')),
  -- Of a start of the app: the time of the install, and the whole days since then.
  installed_at   Nullable(DateTime64(3, 'UTC')),
  install_day    Nullable(UInt16),
  -- Of a click: the person was sent to a store.
  to_store       Nullable(Bool),
  -- Of a click: 'store', 'web' or 'page'. Null also in facts of older versions.
  target         LowCardinality(Nullable(String)),
  country        LowCardinality(Nullable(String)),
  platform       LowCardinality(Nullable(String)),
  os             LowCardinality(Nullable(String)),
  os_version     LowCardinality(Nullable(String)),
  browser        LowCardinality(Nullable(String)),
  language       LowCardinality(Nullable(String)),
  referrer       LowCardinality(Nullable(String)),
  in_app_browser LowCardinality(Nullable(String)),
  via            LowCardinality(Nullable(String)),
  utm_source     LowCardinality(Nullable(String)),
  utm_medium     LowCardinality(Nullable(String)),
  utm_campaign   LowCardinality(Nullable(String)),
  utm_term       LowCardinality(Nullable(String)),
  utm_content    LowCardinality(Nullable(String)),
  match_type     LowCardinality(Nullable(String)),
  app_version    LowCardinality(Nullable(String)),
  labels         Map(LowCardinality(String), String)
)
engine = ReplacingMergeTree
partition by toYYYYMM(at)
order by (app_id, kind, at, id)
settings ttl_only_drop_parts = 1;

alter table facts add column if not exists target LowCardinality(Nullable(String)) after to_store;

-- Whole months, as PostgreSQL drops them.
alter table facts modify ttl toStartOfMonth(toDateTime(at)) + toIntervalMonth(1) + toIntervalDay(${KEEP_ANALYTICS_DAYS});

-- The zones of apps. An app without a row has UTC.
create table if not exists apps
(
  app_id    UUID,
  version   UInt32,
  time_zone LowCardinality(String)
)
engine = ReplacingMergeTree(version)
order by app_id;

-- The secrets with which visitors are hashed: one for each day of each zone. The analytics service copies them from
-- PostgreSQL, and deletes them two days later.
create table if not exists salts
(
  time_zone LowCardinality(String),
  day       Date,
  starts    DateTime64(3, 'UTC'),
  ends      DateTime64(3, 'UTC'),
  salt      String
)
engine = ReplacingMergeTree
order by (time_zone, starts);

-- Records of the topics that are no events of Landfall.
create table if not exists rejected
(
  received_at DateTime64(3, 'UTC'),
  topic       LowCardinality(String),
  partition   Int32,
  offset      Int64,
  reason      LowCardinality(String)
)
engine = MergeTree
order by received_at
ttl toDateTime(received_at) + toIntervalDay(30);
