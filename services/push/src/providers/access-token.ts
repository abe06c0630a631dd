// Access tokens of Google's, by Google's library. firebase-admin would do the same, but its own way to the token server
// cannot be pointed elsewhere, and it holds on to a token that FCM refuses.
import { Agent, type AgentOptions } from 'node:https';
import type { FcmCredentials } from '@landfall/runtime';
import type { Credential } from 'firebase-admin/app';
import { JWT } from 'google-auth-library';
import { noAccessToken, readRetryAfter } from '../domain/outcomes.ts';
import type { Outcome } from './provider.ts';

/** With what it means for whoever wanted to send. */
export class NoAccessToken extends Error {
  override name = 'NoAccessToken';
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** firebase-admin asks it before each push. One token serves all pushes until it expires or is refused. */
export interface AccessTokens extends Credential {
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
    } finally {
      fetching = null;
    }
  }

  return {
    async getAccessToken() {
      if (kept && kept.usedUntil <= Date.now()) kept = null;
      fetching ??= kept ? null : fetchToken();
      const { value } = kept ?? (await fetching!);
      // Expired at once, so that it is asked for again: firebase-admin would keep one that was refused.
      return { access_token: value, expires_in: 0 };
    },
    refuse(token) {
      if (kept?.value === token) kept = null;
    },
  };
}

/** What the library throws: the answer, if there was one. */
interface Thrown {
  response?: { status?: number; data?: { error?: unknown }; headers?: Headers };
}

function outcomeOf(error: unknown): Outcome {
  const { response } = error as Thrown;
  const code = response?.data?.error;
  const retryAfter = response?.headers?.get('retry-after') ?? undefined;
  return noAccessToken(
    typeof code === 'string' ? code : null,
    response?.status ?? null,
    readRetryAfter(retryAfter, Date.now()),
  );
}
