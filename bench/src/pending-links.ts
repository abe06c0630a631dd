// Fills attribution's table of pending links, far beyond what could be tapped while somebody waits.
import type { Database } from '@landfall/db';
import type { Site } from './site.ts';

export interface Pending {
  count: number;
  /** All at one address, and in time; otherwise each at its own, over a month. */
  oneAddress: boolean;
}

/** @param address the hash of the one address; null: everybody has one of their own */
export async function fillPendingLinks(site: Site, count: number, address: Buffer | null): Promise<void> {
  const { database } = site.product;
  await database.rows('truncate attribution.pending_links');
  await database.rows(address === null ? everywhere : atOneAddress, [
    site.appId,
    count,
    site.links.map((link) => link.id),
    site.links.map((link) => `http://${site.linkHost}/${link.slug}`),
    ...(address === null ? [] : [address]),
  ]);
  await settle(database);
}

/** What PostgreSQL would do by itself in the background, at some time during the measurement. */
async function settle(database: Database): Promise<void> {
  await database.rows('vacuum (analyze) attribution.pending_links');
  await database.rows('checkpoint');
}

const hashOf = (kind: string, n: string) => `sha256(convert_to('${kind} ' || ${n}, 'UTF8'))`;
const platform = `(array['android', 'ios'])[1 + n % 2]`;
const columns =
  'id, app_id, link_id, kind, original_url, tapped_at, platform, address, user_agent, email, fingerprint, people';
const link = '1 + n % cardinality($3::uuid[])';

/** Taps, and one in ten stored for somebody. */
const everywhere = `
  insert into attribution.pending_links (${columns})
  select gen_random_uuid(), $1::uuid, ($3::uuid[])[${link}], case when n % 10 = 0 then 'store' else 'tap' end,
    ($4::text[])[${link}], now() - random() * interval '29 days', ${platform},
    ${hashOf('address', 'n')}, ${hashOf('user agent', '(n % 500)')},
    case when n % 20 = 0 then ${hashOf('email', 'n')} end,
    case when n % 20 = 10 then ${hashOf('fingerprint', 'n')} end, 1 + n % 3
  from generate_series(1, $2::int) n`;

const atOneAddress = `
  insert into attribution.pending_links (${columns})
  select gen_random_uuid(), $1::uuid, ($3::uuid[])[${link}], 'tap',
    ($4::text[])[${link}], now() - random() * interval '20 minutes', ${platform},
    $5::bytea, ${hashOf('user agent', '(n % 500)')}, null, null, 64
  from generate_series(1, $2::int) n`;
