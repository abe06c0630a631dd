// What the app keeps of the server's state, and how it recovers from an outage.
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode, isOutage } from './failure.ts';
import { ended } from './session.ts';

/** Milliseconds between attempts while Landfall does not answer. */
export const AGAIN_MS = 3_000;

/** The interval of a query in milliseconds, shorter in an outage. `false`: it is asked again in an outage only. */
export const askEvery =
  (ms: number | false) =>
  // biome-ignore lint/suspicious/noExplicitAny: the types of a query and of its key do not matter here
  ({ state: { status, error } }: Query<any, any, any, any>): number | false =>
    status === 'error' && isOutage(error) ? AGAIN_MS : ms;

/** The latest key and token made in this tab, for the examples of the API reference. Nothing else keeps them. */
export const credentials = { key: '', token: '' };

function keepCredential(answer: unknown): void {
  const { data } = (answer ?? {}) as { data?: { plaintext?: unknown } };
  if (typeof data?.plaintext !== 'string') return;
  if (data.plaintext.startsWith('ol_')) credentials.key = data.plaintext;
  if (data.plaintext.startsWith('lf_')) credentials.token = data.plaintext;
}

export function createQueries(): QueryClient {
  const onError = (error: unknown): void => {
    if (hasCode(error, 'NOT_SIGNED_IN')) ended(queries);
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError,
      // Whatever a command changed, the page shows it before the command counts as done. A command that changes nothing
      // here, or that leaves the page, has `refetch: false` in its `meta`.
      async onSuccess(answer, _, __, { meta }) {
        keepCredential(answer);
        if (meta?.refetch !== false) await queries.invalidateQueries();
      },
    }),
    defaultOptions: {
      queries: {
        // A browser that runs on the same machine needs no network.
        networkMode: 'always',
        staleTime: 10_000,
        // A page shows the outage at once, and goes on asking.
        retry: false,
        refetchInterval: askEvery(false),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}
