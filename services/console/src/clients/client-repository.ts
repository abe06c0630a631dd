import { type ClientCalled, ClientCallKind, ClientRestore, type DataOf, instant, Platform } from '@landfall/contracts';
import { columnsOf, type Database } from '@landfall/db';
import { z } from 'zod';

export type Called = DataOf<typeof ClientCalled> & { readonly at: Date };

/** The most rows of an app. The mobile key is public, and anybody can invent names of clients. */
export const MOST_CALLS = 50;

const columns = columnsOf<Called>({
  app_id: ['uuid', (one) => one.appId],
  platform: ['text', (one) => one.platform ?? ''],
  client: ['text', (one) => one.client],
  call: ['text', (one) => one.call],
  at: ['timestamptz', (one) => one.at],
  restore: ['json', (one) => one.restore && JSON.stringify(one.restore)],
});

const NOTE = `
  insert into account.client_calls as c (${columns.names})
  select distinct on (app_id, platform, client, call) ${columns.names} from ${columns.unnest('n')}
  order by app_id, platform, client, call, at desc
  on conflict (app_id, platform, client, call) do update set at = excluded.at, restore = excluded.restore
  where c.at < excluded.at`;

const TRIM = `
  delete from account.client_calls c using (
    select *, row_number() over (partition by app_id order by at desc) as place
    from account.client_calls where app_id = any($1::uuid[])
  ) old
  where old.place > ${MOST_CALLS} and c.app_id = old.app_id and c.platform = old.platform and c.client = old.client
    and c.call = old.call`;

/** A client on a platform, with its latest calls. */
export const ClientView = z.object({
  platform: Platform.nullable().describe('Null: the client did not tell it.'),
  client: z.string().describe('The header `x-landfall-client`, else the product that the user agent names.'),
  calls: z
    .partialRecord(ClientCallKind, instant())
    .describe(
      'The time of the latest call of each kind. `installReferrer`, `clipboard`: of the latest restore that had it. Left out: none in 30 days.',
    ),
  restore: ClientRestore.nullable().describe('The latest restore. Null: none in 30 days.'),
});
export type ClientView = z.output<typeof ClientView>;

/**
 * A look-up names no platform, and many user agents name none either. Without a start, such a client is the one of
 * the same name, if there is only one.
 */
function withPlatforms<Row extends { platform: string; client: string; call: string }>(rows: readonly Row[]): Row[] {
  const known = new Map<string, Set<string>>();
  for (const { platform, client, call } of rows)
    if (platform !== '' || isStart(call)) known.set(client, (known.get(client) ?? new Set()).add(platform));
  return rows.map((row) => {
    const [only, ...others] = known.get(row.client) ?? [];
    return row.platform === '' && only !== undefined && others.length === 0 ? { ...row, platform: only } : row;
  });
}

const isStart = (call: string): boolean => call !== 'lookUp' && call !== 'push';

export function clientRepository(database: Database) {
  return {
    /** Stores the latest call of each kind. A call that is older than the stored one changes nothing. */
    async note(called: readonly Called[]): Promise<void> {
      await database.rows(NOTE, columns.valuesOf(called));
      await database.rows(TRIM, [[...new Set(called.map(({ appId }) => appId))]]);
    },

    /** Returns the clients of an app. The one that called last comes first. */
    async list(appId: string): Promise<ClientView[]> {
      const rows = await database.prisma.clientCall.findMany({ where: { appId }, orderBy: { at: 'desc' } });
      const clients = Map.groupBy(withPlatforms(rows), ({ platform, client }) => `${platform} ${client}`);
      return [...clients.values()].map((calls) =>
        ClientView.parse({
          platform: calls[0]!.platform || null,
          client: calls[0]!.client,
          // Of two calls of one kind, the later one comes first and counts.
          calls: Object.fromEntries(calls.toReversed().map(({ call, at }) => [call, at.toISOString()])),
          restore: calls.find(({ call }) => call === 'restore')?.restore ?? null,
        }),
      );
    },
  };
}
