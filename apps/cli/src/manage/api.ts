// A client of the management API for the operator's commands.
import { App } from '@landfall/contracts';
import { readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import { bareHost } from '../doctor/facts/addresses.ts';
import { createNames } from '../doctor/facts/names.ts';
import { DoctorConfig, readSetup } from '../doctor/facts/setup.ts';
import { staysInside } from '../doctor/facts/site.ts';
import { reasonOf } from '../doctor/finding.ts';

export interface Api {
  /**
   * Returns the body of a successful answer, with all its fields. Otherwise throws a StartError with a message.
   * @param path the path after `/api/manage`
   */
  ask<T extends z.ZodObject>(reply: T, method: string, path: string, body?: object): Promise<z.output<T>>;
  /** Returns the rows of all pages of a list. */
  all<T extends z.ZodType>(row: T, name: string, path: string): Promise<z.output<T>[]>;
}

const ApiConfig = DoctorConfig.pick({ PUBLIC_URL: true, PORT: true, OWNER_TOKEN: true, LANDFALL_TOKEN: true }).extend({
  LANDFALL_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
});

const WITHIN_MS = 15_000;

/** Throws when there is no token, or when outsiders could read the token on its way. */
export async function openApi(env: NodeJS.ProcessEnv): Promise<Api> {
  // Here a wrong variable is an error. For doctor, it is one finding among others.
  const { LANDFALL_URL } = readConfig(ApiConfig, env);
  const { publicUrl, localUrl, ownerToken: token } = readSetup(env);
  const url = (LANDFALL_URL ?? publicUrl ?? localUrl).replace(/\/+$/, '');
  if (token === undefined)
    throw new StartError('There is no token to manage with: set LANDFALL_TOKEN, or run this beside npm start.');
  if (!url.startsWith('https:') && !(await staysInside(createNames(), url)))
    throw new StartError(
      `The token would travel to ${bareHost(url)} in the clear, or there is no such host: set LANDFALL_URL to https://… or to a gateway in this network.`,
    );

  async function ask<T extends z.ZodObject>(reply: T, method: string, path: string, body?: object) {
    const { status, json } = await send(`${url}/api/manage${path}`, token!, method, body);
    if (status !== 200 || json === undefined) throw refused(status, json, url);
    const parsed = reply.loose().safeParse(json);
    if (parsed.success) return parsed.data as z.output<T>;
    throw new StartError(`The gateway at ${url} is of another version than this command.`);
  }

  return {
    ask,
    async all(row, name, path) {
      const page = z.object({ [name]: z.array(row), next: z.string().nullable() });
      const rows: z.output<typeof row>[] = [];
      let cursor = '';
      for (;;) {
        const query = `${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`;
        const { next, ...found } = await ask(page, 'GET', `${path}${query}`);
        rows.push(...(found[name] as z.output<typeof row>[]));
        if (next === null) return rows;
        cursor = next as string;
      }
    },
  };
}

async function send(url: string, token: string, method: string, body: object | undefined) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers,
      // A redirect must not take the token to another place.
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const { origin } = new URL(url);
    if ((error as Error).name === 'TimeoutError')
      throw new StartError(
        `${origin} did not answer within ${WITHIN_MS / 1000} s: whether it was done is unknown. Look before you try again.`,
      );
    throw new StartError(
      `${origin} cannot be reached (${reasonOf((error as Error).cause ?? error)}): start Landfall, or set LANDFALL_URL.`,
    );
  }
  return { status: response.status, json: (await response.json().catch(() => undefined)) as unknown };
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

export const AppView = App.loose().extend({ linkHost: z.string(), openHost: z.string() });
export type AppView = z.output<typeof AppView>;

/** Finds an app by its id or by its subdomain, archived or not. */
export async function findApp(api: Api, named: string): Promise<AppView> {
  if (z.uuid().safeParse(named).success)
    return (await api.ask(z.object({ app: AppView }), 'GET', `/apps/${named}`)).app;
  const apps = await api.all(AppView, 'apps', '/apps?archived=all');
  const app = apps.find(({ subdomain }) => subdomain === named.toLowerCase());
  if (app) return app;
  throw new StartError(`There is no app with the subdomain ${named}: apps list --all shows those that there are.`);
}
