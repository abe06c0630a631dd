// `npm run bench -- --push`: sends one push to many devices, through fake servers that fail as Google's and Apple's
// servers may. Then checks how often each device got the push, and what the product stored about it.
import { setTimeout as delay } from 'node:timers/promises';
import { type FakesApart, type Seen, startFakesApart, wasTaken } from '@landfall/testkit/push';
import type { Options } from '../options.ts';
import type { Product } from '../product/product.ts';
import { askManage } from '../product/site.ts';
import { count } from '../report.ts';

/** The faults: 1 % 429, 0.5 % 503, 1 % dead tokens, 0.1 % resets, and a GOAWAY every 10 s. */
const rates = { quota: 0.01, unavailable: 0.005, gone: 0.01, reset: 0.001 };
const GOAWAY_EVERY_MS = 10_000;

const TARGET_PER_SECOND = 3_000;
/** The memory limits in bytes: `stack` for one push worker, `one` for the one process that does everything. */
const MEMORY_TARGETS = { stack: 300e6, one: 350e6 };
const LOOK_MS = 250;
/** The share of pushes that must have ended before the kill. */
const KILL_AT_SHARE = 0.4;

/** Runs the push load. Returns the exit code. */
export async function pushLoad(
  start: (settings: Readonly<Record<string, string>>) => Promise<Product>,
  { devices, stack, latency, through, kill }: Options,
): Promise<number> {
  const memoryTarget = stack ? MEMORY_TARGETS.stack : MEMORY_TARGETS.one;
  const faults = { latencyMs: latency, rates, goAwayEveryMs: GOAWAY_EVERY_MS };
  const fakes = await startFakesApart({ fcm: faults, apns: faults });
  try {
    const product = await start({ FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA_FILE: fakes.caFile });
    const appId = await makeApp(product, fakes);
    await fill(product, appId, devices, through);
    await fakes.clear();

    const cpuBefore = product.cpuByProcess();
    const began = performance.now();
    const { notificationId } = await askManage(product, 'POST', '/api/push/send', {
      ...{ appId, title: 'Half price', body: 'Today, for everybody', destinationPath: '/offers?from=push' },
      target: { all: true },
    });
    const sent = await untilSent(product, { notificationId, devices, kill });
    const cpu = Object.entries(product.cpuByProcess()).map(([name, seconds]) => {
      const each = ((seconds - (cpuBefore[name] ?? 0)) / devices) * 1e6;
      return `${name} ${Math.round(each)}`;
    });
    const perSecond = (sent.handledAtTwoThirds / (sent.twoThirdsAt - began)) * 1e3;
    const seconds = (performance.now() - began) / 1e3;
    console.log(
      `${count(devices)} devices: ${count(perSecond)} a second until most were sent, ${seconds.toFixed(1)} s in all`,
    );
    console.log(`memory ${Math.round(sent.memory / 1e6)} MB; µs of CPU a push: ${cpu.join(', ')}`);
    console.log(JSON.stringify(sent.counts));

    const findings = [
      { what: `at least ${count(TARGET_PER_SECOND)} a second`, good: perSecond >= TARGET_PER_SECOND || kill },
      { what: `memory under ${memoryTarget / 1e6} MB`, good: sent.memory < memoryTarget },
      ...(await judge(product, { fakes, appId, devices, counts: sent.counts, kill })),
    ];
    for (const { what, good } of findings) console.log(`${good ? 'ok ' : 'NOT'}  ${what}`);
    return findings.every(({ good }) => good) ? 0 : 1;
  } finally {
    await fakes.close();
  }
}

async function makeApp(product: Product, fakes: FakesApart): Promise<string> {
  const { app } = await askManage(product, 'POST', '/api/manage/apps', { name: 'Push', subdomain: 'push' });
  const providers = `/api/manage/apps/${app.id}/push-providers`;
  const checked = [
    await askManage(product, 'PUT', `${providers}/fcm`, fakes.serviceAccount),
    await askManage(product, 'PUT', `${providers}/apns`, fakes.appleKey),
  ];
  if (!checked.every((answer) => answer.checked)) throw new Error('the fakes were not asked about the credentials');
  return app.id;
}

async function fill({ database }: Product, appId: string, devices: number, through: readonly string[]): Promise<void> {
  await database.rows(
    `insert into push.devices (id, app_id, token_hash, token, kind, platform, environment, first_seen, last_seen, registered_by)
     select gen_random_uuid(), $1, sha256(convert_to(token, 'UTF8')), token, kind, 'ios', environment,
       now() - interval '1 hour', now() - interval '1 hour', gen_random_uuid()
     from (
       select case when kind = 'fcm' then 'device' || n || ':' || repeat('APA91b', 22) else 'a1' || md5(n::text) || left(md5('x' || n), 30) end as token,
         kind, case when kind = 'apns' then 'production' end as environment
       from (select n, ($3::text[])[n % cardinality($3::text[]) + 1] as kind from generate_series(1, $2::int) n) named
     ) t`,
    [appId, devices, through],
  );
  await database.rows('vacuum (analyze) push.devices');
  await database.rows('checkpoint');
}

interface Sent {
  counts: Record<'queued' | 'sent' | 'failed' | 'unknown' | 'opened', number>;
  /** The highest memory use of the process, in bytes. */
  memory: number;
  /**
   * The time when two thirds of the pushes had ended. The last pushes wait for their second attempt, so they say
   * nothing about speed.
   */
  twoThirdsAt: number;
  handledAtTwoThirds: number;
}

async function untilSent(
  product: Product,
  { notificationId, devices, kill }: { notificationId: string; devices: number; kill: boolean },
): Promise<Sent> {
  const until = Date.now() + 600_000;
  let [memory, twoThirdsAt, handledAtTwoThirds] = [0, 0, 0];
  let killed = !kill;
  for (;;) {
    memory = Math.max(memory, product.memory());
    const { notification } = await askManage(product, 'GET', `/api/manage/notifications/${notificationId}`);
    const { counts, status } = notification;
    const handled = counts.sent + counts.failed + counts.unknown;
    if (!twoThirdsAt && handled >= (devices * 2) / 3) [twoThirdsAt, handledAtTwoThirds] = [performance.now(), handled];
    if (status === 'sent') return { counts, memory, twoThirdsAt, handledAtTwoThirds };
    if (Date.now() > until) throw new Error(`after 10 minutes ${JSON.stringify(counts)}`);
    if (!killed && handled > devices * KILL_AT_SHARE) {
      killed = true;
      await product.kill();
      console.log(`killed after ${count(handled)}, and started again`);
    }
    await delay(LOOK_MS);
  }
}

async function judge(
  { database }: Product,
  about: { fakes: FakesApart; appId: string; devices: number; counts: Sent['counts']; kill: boolean },
) {
  const { fakes, appId, devices, counts, kill } = about;
  const [fcm, apns] = [byToken(await fakes.received('fcm')), byToken(await fakes.received('apns'))];
  const all = [...fcm, ...apns];
  const dead = new Set(all.filter(([, seen]) => seen.some(({ what }) => what === 'gone')).map(([token]) => token));
  const live = all.filter(([token]) => !dead.has(token));
  const often = live.filter(([, seen]) => seen.filter(wasTaken).length > 1);
  const inDoubt = (seen: readonly Seen[]) => seen.some(({ what }) => what === 'reset');
  const sure = often.filter(([, seen]) => !inDoubt(seen));
  const rows = await database.rows<{ token: string }>(
    'select token from push.devices where app_id = $1 and dropped_at is not null',
    [appId],
  );
  const never = live.filter(([, seen]) => !seen.some(wasTaken));
  const asBefore = (seen: readonly Seen[]) => new Set(seen.map(({ id, collapse }) => `${id} ${collapse}`)).size === 1;
  const sum = counts.sent + counts.failed + counts.unknown;
  return [
    { what: `every device was sent to: ${count(all.length)}`, good: all.length === devices },
    { what: `${count(never.length)} of those that live got nothing`, good: never.length <= counts.failed - dead.size },
    {
      what: `${count(often.length)} got it twice after a reset, at the most twice`,
      good: often.every(([, seen]) => seen.filter(wasTaken).length <= (kill ? 3 : 2)),
    },
    // The worker sends pushes again that were in flight when it was killed, because their outcome is unknown.
    { what: `${count(sure.length)} got it twice otherwise`, good: kill ? sure.length <= IN_FLIGHT : sure.length === 0 },
    { what: 'a second time under the same id', good: live.every(([, seen]) => asBefore(seen)) },
    {
      what: `dead tokens are dropped, and only those: ${count(rows.length)} of ${count(dead.size)}`,
      good: rows.length === dead.size && rows.every(({ token }) => dead.has(token)),
    },
    { what: `the counts add up: ${count(sum)}`, good: sum === devices && counts.queued === 0 },
  ];
}

/** The maximum number of pushes in flight, both providers together. */
const IN_FLIGHT = 700;

const byToken = (seen: readonly Seen[]) => Map.groupBy(seen, ({ token }) => token);
