// Gets Google's access tokens with Google's library. firebase-admin could get them, too. But its requests to the token
// server cannot go to another server, and it keeps a token that FCM refuses.
import { Agent } from 'node:https';
import type { FcmCredentials } from '@landfall/runtime';
import { JWT } from 'google-auth-library';
import pTimeout from 'p-timeout';
import { noAccessToken, type PushOutcome, readRetryAfter } from '../domain/outcomes.ts';
import type { Http2Options } from './http2-line.ts';

/** Thrown when there is no access token. Holds the outcome for the push that needed the token. */
export class NoAccessToken extends Error {
  override name = 'NoAccessToken';
  readonly outcome: PushOutcome;

  constructor(outcome: PushOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
/** Milliseconds. A token is not used in the last five minutes of its hour. */
const BEFORE_EXPIRY_MS = 300_000;

interface Token {
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly usedUntil: number;
}

/** One token serves all pushes until it expires or is refused. */
export function accessTokens(account: FcmCredentials, { connect, timeoutMs }: Http2Options) {
  const transporterOptions = { agent: new Agent(connect), timeout: timeoutMs };
  let kept: Token | null = null;
  let fetching: Promise<Token> | null = null;

  async function fetchToken(): Promise<Token> {
    // Makes a new client each time. A client keeps its token until it expires, even when it is asked for another token.
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

  /** Rejects with {@link NoAccessToken}. */
  async function get(): Promise<string> {
    if (kept && kept.usedUntil <= Date.now()) kept = null;
    if (kept) return kept.value;
    // The library's own timeout does not stop a handshake that never ends.
    const message = new NoAccessToken(noAccessToken(null, null, null));
    fetching ??= pTimeout(fetchToken(), { milliseconds: timeoutMs, message }).finally(() => {
      fetching = null;
    });
    return (await fetching).value;
  }

  return {
    get,
    // Given as already expired, so that firebase-admin asks each time. Otherwise it would keep a refused token.
    getAccessToken: async () => ({ access_token: await get(), expires_in: 0 }),
    /** Reports that FCM refuses this token. The next caller gets another token. */
    refuse(token: string) {
      if (kept?.value === token) kept = null;
    },
  };
}

/** The error that the library throws, with the answer if there was one. */
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
