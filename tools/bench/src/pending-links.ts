// Fills attribution's tables of pending links, devices and contacts with far more rows than taps and starts could create
// in a reasonable time.
import { sendAll } from './load/load.ts';
import { tap } from './load/requests.ts';
import type { Site } from './product/site.ts';

export interface Pending {
  count: number;
  /**
   * The client address of all taps, within the last minutes. Left out: each tap has its own address, and the taps
   * spread over a month. As many devices were seen in this month, and as many people were at an address in this week.
   */
  at?: string;
}

const TABLES = 'attribution.pending_links, attribution.devices, attribution.contacts';

/** Replaces all pending links, devices and contacts. */
export async function fillPendingLinks(site: Site, { count, at }: Pending): Promise<void> {
  const { database } = site.product;
  const address = at === undefined ? [] : [await hashOfAddress(site, at)];
  const ids = site.links.map((link) => link.id);
  const urls = site.links.map((link) => `http://${site.linkHost}/${link.slug}`);
  // One transaction lets PostgreSQL write the rows once, without a second copy in its write-ahead log.
  await database.transaction(async (tx) => {
    await tx.rows(`truncate ${TABLES}`);
    await tx.rows(at === undefined ? everywhere : atOneAddress, [site.appId, count, ids, urls, ...address]);
    if (at === undefined) for (const fill of [devices, contacts]) await tx.rows(fill, [site.appId, count]);
  });
  // Otherwise PostgreSQL would do both by itself during the measurement.
  await database.rows(`vacuum (analyze) ${TABLES}`);
  await database.rows('checkpoint');
}

/**
 * Returns the hash of an address. Only the product knows the hash function, so this sends a tap and reads the stored
 * hash.
 */
async function hashOfAddress(site: Site, address: string): Promise<Buffer> {
  const asks = [tap(site, site.links[0]!, address)];
  await sendAll(site.product, () => asks.pop(), 10, 1);
  const [newest] = await site.product.database.rows<{ address: Buffer }>(
    'select address from attribution.pending_links order by tapped_at desc limit 1',
  );
  return newest!.address;
}

const hash = (kind: string, n: string) => `sha256(convert_to('${kind} ' || ${n}, 'UTF8'))`;
const row = {
  link: '($3::uuid[])[1 + n % cardinality($3::uuid[])]',
  url: '($4::text[])[1 + n % cardinality($4::text[])]',
  platform: `(array['android', 'ios'])[1 + n % 2]`,
  userAgent: hash('user agent', '(n % 500)'),
};
const into = `insert into attribution.pending_links
  (id, app_id, link_id, kind, original_url, tapped_at, platform, address, user_agent, email, fingerprint, people)`;

/** Nine in ten rows are taps. One in ten is a link stored for a person. */
const everywhere = `${into}
  select gen_random_uuid(), $1::uuid, ${row.link}, case when n % 10 = 0 then 'store' else 'tap' end, ${row.url},
    now() - random() * interval '29 days', ${row.platform}, ${hash('address', 'n')}, ${row.userAgent},
    case when n % 20 = 0 then ${hash('email', 'n')} end, case when n % 20 = 10 then ${hash('fingerprint', 'n')} end, 1
  from generate_series(1, $2::int) n`;

const atOneAddress = `${into}
  select gen_random_uuid(), $1::uuid, ${row.link}, 'tap', ${row.url},
    now() - random() * interval '20 minutes', ${row.platform}, $5::bytea, ${row.userAgent}, null, null, 64
  from generate_series(1, $2::int) n`;

/** Rows with a number and one time each. */
const seenWithin = (days: number): string =>
  `from (select n, now() - random() * interval '${days} days' as at from generate_series(1, $2::int) n) seen`;

const devices = `insert into attribution.devices (app_id, device, first_seen, new_since, last_seen)
  select $1::uuid, ${hash('device', 'n')}, at, at, at ${seenWithin(29)}`;

const contacts = `insert into attribution.contacts (app_id, address, device, first_at, last_at)
  select $1::uuid, ${hash('address', 'n')}, ${hash('device', 'n')}, at, at ${seenWithin(7)}`;
