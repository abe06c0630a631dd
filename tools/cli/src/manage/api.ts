import { type ApiClient, type App, createApiClient } from '@landfall/api-client';
import { readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import { bareHost } from '../doctor/facts/addresses.ts';
import { createNames } from '../doctor/facts/names.ts';
import { DoctorConfig, readSetup } from '../doctor/facts/setup.ts';
import { staysInside } from '../doctor/facts/site.ts';
import { reasonOf } from '../doctor/finding.ts';

/** Every answer that is no success is thrown as a StartError with a message. */
export type Api = ApiClient;

const ApiConfig = DoctorConfig.pick({ PUBLIC_URL: true, PORT: true, OWNER_TOKEN: true, LANDFALL_TOKEN: true }).extend({
  LANDFALL_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
});

const WITHIN_MS = 15_000;

/** Returns the address of the gateway, without a slash at its end. */
export function urlOf(env: NodeJS.ProcessEnv): string {
  // Here a wrong variable is an error. For doctor, it is one finding among others.
  const { LANDFALL_URL } = readConfig(ApiConfig, env);
  const { publicUrl, localUrl } = readSetup(env);
  return (LANDFALL_URL ?? publicUrl ?? localUrl).replace(/\/+$/, '');
}

/** Throws when there is no token, or when outsiders could read the token on its way. */
export async function openApi(env: NodeJS.ProcessEnv): Promise<Api> {
  const url = urlOf(env);
  const { ownerToken: token } = readSetup(env);
  if (token === undefined)
    throw new StartError('There is no token to manage with: set LANDFALL_TOKEN, or run this beside npm start.');
  if (!url.startsWith('https:') && !(await staysInside(createNames(), url)))
    throw new StartError(
      `The token would travel to ${bareHost(url)} in the clear, or there is no such host: set LANDFALL_URL to https://… or to a gateway in this network.`,
    );
  const api = createApiClient({
    baseUrl: url,
    // A redirect must not take the token to another place.
    redirect: 'manual',
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(WITHIN_MS) }),
  });
  api.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
    },
    async onResponse({ response }) {
      const json = await response
        .clone()
        .json()
        .catch(() => undefined);
      if (response.status !== 200 || json === undefined) throw refused(response.status, json, url);
    },
    onError: ({ error }) => unanswered(error as Error, url),
  });
  return api;
}

function unanswered(error: Error, url: string): StartError {
  if (error.name === 'TimeoutError')
    return new StartError(
      `${url} did not answer within ${WITHIN_MS / 1000} s: whether it was done is unknown. Look before you try again.`,
    );
  return new StartError(
    `${url} cannot be reached (${reasonOf((error.cause as Error | undefined) ?? error)}): start Landfall, or set LANDFALL_URL.`,
  );
}

const Refused = z.object({ error: z.string(), code: z.string() });

function refused(status: number, json: unknown, url: string): StartError {
  const parsed = Refused.safeParse(json);
  if (!parsed.success) return new StartError(`What answers at ${url} is no Landfall (status ${status}).`);
  const { error, code } = parsed.data;
  if (code === 'NOT_SIGNED_IN')
    return new StartError(`${url} does not take this token: set LANDFALL_TOKEN to a live one.`);
  return new StartError(error);
}

/** The body of a successful answer. Every other one was thrown. */
export async function got<T>(asked: Promise<{ data?: T }>): Promise<T> {
  return (await asked).data as T;
}

export async function allOf<P extends { next: string | null }, R>(
  ask: (page: { limit: number; cursor?: string }) => Promise<{ data?: P }>,
  rowsOf: (page: P) => readonly R[],
): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | null = null;
  do {
    const page: P = await got(ask({ limit: 100, ...(cursor !== null && { cursor }) }));
    rows.push(...rowsOf(page));
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

export const listApps = (api: Api, archived: 'false' | 'true' | 'all'): Promise<App[]> =>
  allOf(
    (page) => api.GET('/api/manage/apps', { params: { query: { archived, ...page } } }),
    ({ apps }) => apps,
  );

export async function findApp(api: Api, named: string): Promise<App> {
  if (z.uuid().safeParse(named).success)
    return (await got(api.GET('/api/manage/apps/{appId}', { params: { path: { appId: named } } }))).app;
  const apps = await listApps(api, 'all');
  const app = apps.find(({ subdomain }) => subdomain === named.toLowerCase());
  if (app) return app;
  throw new StartError(`There is no app with the subdomain ${named}: apps list --all shows those that there are.`);
}
