// Tells the console which clients of an app call, for its set-up page. A request only puts one value into a map.
import type { Bus } from '@landfall/bus';
import {
  CLIENT_LENGTH,
  ClientCalled,
  type ClientCallKind,
  type ClientRestore,
  onceSent,
  type Platform,
} from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';

/** Milliseconds for which calls wait for later ones of their kind. The last one is told. */
const WAIT_MS = 2_000;
/** The most calls that wait. Anybody can invent names of clients, so further ones are left out. */
const MAX_CALLS = 1_000;
/** The time-out of the reports, in milliseconds. */
const TELL_WITHIN_MS = 1_000;

interface Called {
  at: Date;
  data: z.input<typeof ClientCalled.data>;
}

interface Caller {
  userAgent: string;
  header(name: string): string | undefined;
  key: { app: { id: string } };
}

export type ClientCalls = ReturnType<typeof createClientCalls>;

export function createClientCalls(bus: Bus, log: Logger, now: () => Date) {
  const latest = new Map<string, Called>();
  const telling = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function tellAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { data, at } of latest.values()) {
      const told: Promise<void> = bus
        .tell(ClientCalled, data, { now: at, timeoutMs: TELL_WITHIN_MS })
        // Not repeated: the next call says the same.
        .catch((error: unknown) => log.debug({ err: error, appId: data.appId }, 'a call of a client was not recorded'))
        .finally(() => telling.delete(told));
      telling.add(told);
    }
    latest.clear();
  }

  function wait(data: Called['data']): void {
    const name = `${data.appId} ${data.platform} ${data.call} ${data.client}`;
    if (latest.size >= MAX_CALLS && !latest.has(name)) return;
    latest.set(name, { at: now(), data });
    timer ??= setTimeout(tellAll, WAIT_MS).unref();
  }

  return {
    /** Returns at once. */
    called(
      caller: Caller,
      platform: Platform | null,
      call: ClientCallKind,
      restore: z.output<typeof ClientRestore> | null = null,
    ): void {
      const from = { appId: caller.key.app.id, platform, client: clientIn(caller) };
      wait({ ...from, call, restore });
      // Later restores, and those of other installs, do not have it. So the last one says nothing of it.
      for (const part of onceSent) if (restore?.sent[part]) wait({ ...from, call: part, restore: null });
    },
    /** Tells the calls that wait. */
    async stop(): Promise<void> {
      tellAll();
      await Promise.all(telling);
    },
  };
}

/** The header with the name and the version of the client. Anything that is none counts as omitted. */
const CLIENT = 'x-landfall-client';
const CLIENT_NAME = new RegExp(`^[!-~](?:[ -~]{0,${CLIENT_LENGTH - 2}}[!-~])?$`);

/** The header's entry in the OpenAPI document. */
export const clientHeader = {
  'X-Landfall-Client': {
    description: `The name of the client and its version, as \`name/version\`, at most ${CLIENT_LENGTH} printable ASCII characters. The set-up page of the app shows it.`,
    pattern: CLIENT_NAME.source,
  },
};

/** The characters of a product in a user agent, without its version. */
const PRODUCT = new RegExp(`^[!-.0-~]{1,${CLIENT_LENGTH}}`);

/** Returns the name of the client that calls. */
export const clientIn = (caller: Pick<Caller, 'header' | 'userAgent'>): string =>
  clientOf(caller.header(CLIENT), caller.userAgent);

export function clientOf(given: string | undefined, userAgent: string): string {
  const name = given?.trim() ?? '';
  return CLIENT_NAME.test(name) ? name : (PRODUCT.exec(userAgent)?.[0] ?? 'unknown');
}
