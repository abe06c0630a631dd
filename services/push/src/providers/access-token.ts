// Access tokens of Google's, by Google's library. firebase-admin would do the same, but its own way to the token server
// cannot be pointed elsewhere, and it holds on to a token that FCM refuses.

import { Agent, type AgentOptions } from 'node:https';
import type { FcmCredentials } from '@landfall/runtime';
import type { Credential } from 'firebase-admin/app';
import { JWT } from 'google-auth-library';
import pTimeout from 'p-timeout';
import type { PushOutcome } from '../domain/outcome.ts';
import { noAccessToken, readRetryAfter } from '../domain/outcomes.ts';

/** With what it means for whoever wanted to send. */
export class NoAccessToken extends Error {
  override name = 'NoAccessToken';
  readonly outcome: PushOutcome;

  constructor(outcome: PushOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** One token serves all pushes until it expires or is refused. */
export interface AccessTokens extends Credential {
  /** Rejects with {@link NoAccessToken}. */
  get(): Promise<string>;
  /** FCM does not take this one: whoever asks next gets another. */
  refuse(token: string): void;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
/** Not used for the last five minutes of its hour. */
const BEFORE_EXPIRY_MS = 300_000;

interface Token {
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly usedUntil: number;
}

/** @param timeoutMs how long Google may take */
export function accessTokens(account: FcmCredentials, connect: AgentOptions, timeoutMs: number): AccessTokens {
  const transporterOptions = { agent: new Agent(connect), timeout: timeoutMs };
  let kept: Token | null = null;
  let fetching: Promise<Token> | null = null;

  async function fetchToken(): Promise<Token> {
    // A client of its own each time: one keeps its token until it expires, also when it is asked for another.
    const client = new JWT({
      email: account.clientEmail,
      key: account.privateKey,
      scopes: [SCOPE],
      transporterOptions,
    });
    try {
      const { access_token, expiry_date } = await client.authorize();
      if (!access_token || !expiry_date) throw new Error('Google gave no token');
      kept = { value: access_token, usedUntil: expiry_date - BEFORE_EXPIRY_MS };
      return kept;
    } catch (error) {
      throw new NoAccessToken(outcomeOf(error));
    }
  }

  async function get(): Promise<string> {
    if (kept && kept.usedUntil <= Date.now()) kept = null;
    fetching ??= kept
      ? null
      : inTime(fetchToken(), timeoutMs).finally(() => {
          fetching = null;
        });
    const { value } = kept ?? (await fetching!);
    return value;
  }

  return {
    get,
    // Expired at once, so that it is asked for again: firebase-admin would keep one that was refused.
    getAccessToken: async () => ({ access_token: await get(), expires_in: 0 }),
    refuse(token) {
      if (kept?.value === token) kept = null;
    },
  };
}

/** The library's own timeout does not bound a handshake that never ends. */
const inTime = <T>(work: Promise<T>, milliseconds: number): Promise<T> =>
  pTimeout(work, { milliseconds, message: new NoAccessToken(noAccessToken(null, null, null)) });

/** The error of the library: the answer, if there was one. */
interface Thrown {
  response?: { status?: number; data?: { error?: unknown }; headers?: Headers };
}

function outcomeOf(error: unknown): PushOutcome {
  const { response } = error as Thrown;
  const code = response?.data?.error;
  const retryAfter = response?.headers?.get('retry-after') ?? undefined;
  return noAccessToken(
    typeof code === 'string' ? code : null,
    response?.status ?? null,
    readRetryAfter(retryAfter, Date.now()),
  );
}
