// Fills every table of a database with a few rows that are hard to carry.
import pg from 'pg';
import { SCHEMAS, tablesOf } from './catalog.ts';

/** Texts that a format of lines could break: its own signs, an end of rows, other scripts. */
const TEXT = `E'a\\tb\\nc\\\\.\\r "q" \\\\N ; 💥 ' || n`;

function valueFor(type: string, nullable: boolean): string {
  const value =
    {
      uuid: `('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`,
      text: TEXT,
      bytea: `decode(lpad(n::text, 4, '0') || '005c2e0aff', 'hex')`,
      boolean: 'n % 2 = 0',
      date: `date '2026-11-01' + n::int`,
      smallint: 'n::smallint',
      integer: 'n::int',
      bigint: 'n + 9007199254740993',
      'double precision': 'n / 7.0::float8',
      json: `json_build_object('n', n, 'text', ${TEXT})`,
      jsonb: `jsonb_build_object('n', n, 'text', ${TEXT})`,
      'timestamp(3) with time zone': `timestamptz '2026-11-15 12:00:00.123+00' + n * interval '1 second'`,
      'text[]': `array[${TEXT}, 'b,"c']`,
      'uuid[]': `array[('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, null]`,
    }[type] ?? fail(type);
  return nullable ? `case when n % 3 = 0 then null else ${value} end` : value;
}

const fail = (type: string): never => {
  throw new Error(`No rows are made for the type ${type}: add it.`);
};

/** Keys of other tables point to the same ids, so every row of the nth kind belongs to the nth rows of the others. */
export async function fillEveryTable(url: string, count = 40): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      'create table analytics.facts_2026_11 (like analytics.facts including defaults including constraints)',
    );
    await client.query(
      `alter table analytics.facts attach partition analytics.facts_2026_11
       for values from ('2026-11-01T00:00:00Z') to ('2026-12-01T00:00:00Z')`,
    );
    for (const { name } of await tablesOf(client)) {
      if (name === '_prisma_migrations') continue;
      const { rows: columns } = await client.query(
        `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable
         from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [name],
      );
      const values = columns.map(({ type, nullable }) => valueFor(type, nullable));
      await client.query(
        `insert into ${name} (${columns.map((column) => column.name).join(', ')})
         select ${values.join(', ')} from generate_series(1, ${count}) n on conflict do nothing`,
      );
    }
    const { rows: sequences } = await client.query(
      `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = any ($1)`,
      [SCHEMAS],
    );
    for (const { name } of sequences) await client.query(`select setval('${name}', 9007199254742000)`);
  } finally {
    await client.end();
  }
}
