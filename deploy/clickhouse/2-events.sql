-- Fills the tables from the public topics. Nothing here holds data, so that all of it is made anew: the offsets are in Kafka,
-- under the name of the group.

drop view if exists events_to_facts;
drop view if exists events_to_rejected;
drop table if exists events;

-- A record as it is. Its value is read below: one that is no JSON must not stop the others.
create table events (value String)
engine = Kafka
settings
  kafka_broker_list = '${KAFKA_BROKERS}',
  kafka_topic_list = '${KAFKA_TOPICS}',
  kafka_group_name = '${KAFKA_GROUP}',
  kafka_security_protocol = '${KAFKA_SECURITY_PROTOCOL}',
  kafka_sasl_mechanism = '${KAFKA_SASL_MECHANISM}',
  kafka_sasl_username = '${KAFKA_SASL_USERNAME}',
  kafka_sasl_password = '${KAFKA_SASL_PASSWORD}',
  kafka_format = 'RawBLOB',
  kafka_num_consumers = 1,
  kafka_thread_per_consumer = 1,
  -- Events are in the live stream within a second.
  kafka_poll_timeout_ms = 100,
  kafka_flush_interval_ms = 150
-- Of this file with its values: when it is the same, nothing is made anew.
comment '${CHECKSUM}';

create materialized view events_to_facts to facts as
with
  parsed as
  (
    select
      _headers.value[indexOf(_headers.name, 'ce_type')] as type,
      toUUIDOrNull(_headers.value[indexOf(_headers.name, 'ce_id')]) as event_id,
      parseDateTime64BestEffortOrNull(_headers.value[indexOf(_headers.name, 'ce_time')], 3, 'UTC') as event_at,
      -- The numbers of `kinds`.
      transform(
        type,
        ['LinkClicked', 'LinkOpened', 'DeviceInstalled', 'LinksRestored', 'DeviceActive', 'LinkCreated', 'PushRegistered',
         'PushSent', 'PushOpened'],
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
        0
      ) as kind,
      JSONExtract(value, 'Tuple(
        appId Nullable(UUID), linkId Nullable(UUID), device Nullable(String), deviceId Nullable(UUID),
        address Nullable(String), userAgent Nullable(String), target Nullable(String),
        installedAt Nullable(String), day Nullable(UInt32),
        country Nullable(String), platform Nullable(String), os Nullable(String), osVersion Nullable(String),
        browser Nullable(String), language Nullable(String), referrer Nullable(String), inAppBrowser Nullable(String),
        via Nullable(String), matchType Nullable(String), appVersion Nullable(String),
        utm Tuple(source Nullable(String), medium Nullable(String), campaign Nullable(String), term Nullable(String),
                  content Nullable(String)),
        labels Map(String, String),
        links Array(Tuple(linkId Nullable(UUID), pendingLinkId Nullable(UUID), tappedAt Nullable(String)))
      )') as data
    from events
    where kind > 0 and event_id is not null and event_at is not null and data.appId is not null
  ),
  -- A restore is a fact for each link, and its id follows from both (UUID 5). All other events are one fact.
  split as
  (
    select
      *,
      data.appId as app_id,
      arrayJoin(if(kind = 4, data.links, [(data.linkId, null, null)])) as link,
      hex(SHA1(concat(unhex(replaceAll(toString(event_id), '-', '')), toString(link.2)))) as sha,
      if(
        kind = 4,
        toUUIDOrNull(concat(
          substring(sha, 1, 8), '-', substring(sha, 9, 4), '-5', substring(sha, 14, 3), '-',
          hex(toUInt8(bitOr(bitAnd(reinterpretAsUInt8(unhex(substring(sha, 17, 2))), 63), 128))), substring(sha, 19, 2), '-',
          substring(sha, 21, 12)
        )),
        event_id
      ) as id
    from parsed
  ),
  zoned as
  (
    select split.*, if(empty(apps.time_zone), 'UTC', apps.time_zone) as time_zone
    from split left join (select app_id, time_zone from apps final) as apps on apps.app_id = split.app_id
  )
select
  f.app_id as app_id,
  f.kind as kind,
  -- Openings of one link from one address in one minute have one id. They also need one time to be one row.
  if(f.kind = 2, toStartOfMinute(f.event_at), f.event_at) as at,
  f.id as id,
  if(f.kind in (1, 2, 4, 6), f.link.1, null) as link_id,
  if(
    f.data.device is null,
    f.data.deviceId,
    toUUIDOrNull(lower(hex(substring(base64URLDecode(f.data.device), 1, 16))))
  ) as device,
  -- A click whose day has no secret is a visitor of its own.
  if(
    f.kind = 1,
    if(
      salts.salt != '' and f.event_at < salts.ends,
      reinterpretAsUInt64(substring(
        SHA256(concat(
          salts.salt, toString(f.app_id), coalesce(f.data.address, ''), ' ', coalesce(f.data.userAgent, '')
        )),
        1, 8
      )),
      cityHash64(f.id)
    ),
    null
  ) as visitor,
  f.link.2 as click_id,
  parseDateTime64BestEffortOrNull(f.link.3, 3, 'UTC') as clicked_at,
  parseDateTime64BestEffortOrNull(f.data.installedAt, 3, 'UTC') as installed_at,
  if(f.data.day is null, null, least(assumeNotNull(f.data.day), 32767)) as install_day,
  if(f.kind = 1, coalesce(f.data.target, '') = 'store', null) as to_store,
  f.data.target as target,
  f.data.country as country,
  f.data.platform as platform,
  f.data.os as os,
  f.data.osVersion as os_version,
  f.data.browser as browser,
  f.data.language as language,
  f.data.referrer as referrer,
  f.data.inAppBrowser as in_app_browser,
  f.data.via as via,
  f.data.utm.source as utm_source,
  f.data.utm.medium as utm_medium,
  f.data.utm.campaign as utm_campaign,
  f.data.utm.term as utm_term,
  f.data.utm.content as utm_content,
  f.data.matchType as match_type,
  f.data.appVersion as app_version,
  f.data.labels as labels
from zoned as f
asof left join (select * from salts final) as salts on salts.time_zone = f.time_zone and f.event_at >= salts.starts
-- Without a device, anybody can report any number of opens.
where f.id is not null and not (f.kind = 9 and f.data.deviceId is null);

create materialized view events_to_rejected to rejected as
select
  now64(3, 'UTC') as received_at,
  _topic as topic,
  _partition as partition,
  _offset as offset,
  multiIf(
    not isValidJSON(value), 'The value is no JSON.',
    toUUIDOrNull(_headers.value[indexOf(_headers.name, 'ce_id')]) is null, 'The header ce_id is no UUID.',
    parseDateTime64BestEffortOrNull(_headers.value[indexOf(_headers.name, 'ce_time')], 3, 'UTC') is null,
      'The header ce_time is no time.',
    toUUIDOrNull(JSONExtractString(value, 'appId')) is null, 'The field appId is no UUID.',
    ''
  ) as reason
from events
where reason != '';
