// Access tokens of Google's, by Google's library. firebase-admin would do the same, but its own way to the token server
// cannot be pointed elsewhere.
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

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

/** @param timeoutMs how long Google may take */
export function accessTokens(account: FcmCredentials, connect: AgentOptions, timeoutMs: number): Credential {
  const client = new JWT({
    email: account.clientEmail,
    key: account.privateKey,
    scopes: [SCOPE],
    transporterOptions: { agent: new Agent(connect), timeout: timeoutMs },
  });
  return {
    async getAccessToken() {
      try {
        const { access_token, expiry_date } = await client.authorize();
        if (!access_token || !expiry_date) throw new Error('Google gave no token');
        return { access_token, expires_in: Math.floor((expiry_date - Date.now()) / 1000) };
      } catch (error) {
        throw new NoAccessToken(outcomeOf(error));
      }
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
