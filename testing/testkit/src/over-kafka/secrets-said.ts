// The secrets in the requests of a run that no topic may hold in clear: addresses, keys and other personal data.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sent } from '../system/http.ts';

const HEADERS = ['x-forwarded-for', 'authorization', 'cookie', 'x-service-sdk-key', 'x-openlynk-sdk-key', 'user-agent'];
const FIELDS = [
  'userEmail',
  'identityToken',
  'deviceFingerprint',
  'installReferrer',
  'deviceToken',
  // Of the management API.
  'email',
  'password',
  'current',
  'next',
  'code',
  // Of push credentials.
  'private_key',
  'key',
];

/** Of the query with which somebody comes back from a provider. */
const PARAMETERS = ['code', 'state'];

const fileIn = (folder: string) => path.join(folder, 'secrets-said.jsonl');

/** Secrets about a person from elsewhere, e.g. from the provider that they sign in through. */
export function noteSecret(folder: string, what: string, text: string): void {
  appendFileSync(fileIn(folder), `${JSON.stringify([what, text])}\n`);
}

export function noteSecrets(folder: string, { headers = {}, body, path: asked }: Sent): void {
  const fields = typeof body === 'string' ? parsed(body) : ((body ?? {}) as Record<string, unknown>);
  const said = [
    ...Object.entries(headers).filter(([name]) => HEADERS.includes(name.toLowerCase())),
    ...[...new URLSearchParams(isCallback(asked) ? asked.split('?')[1] : '')].filter(([name]) =>
      PARAMETERS.includes(name),
    ),
    ...FIELDS.map((field) => [field, fields?.[field]] as const),
    ...namedIn(fields?.target),
  ].filter(([, value]) => typeof value === 'string');
  appendFileSync(fileIn(folder), said.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** By what they are, e.g. `userEmail`; each once. */
export function secretsSaid(folder: string): Map<string, string> {
  const lines = existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => (JSON.parse(line) as [string, string]).toReversed() as [string, string]));
}

const isCallback = (asked: string): boolean => asked.includes('/sign-in/oidc/callback?');

/** The audience of a push. */
function namedIn(target: unknown): (readonly [string, unknown])[] {
  const { userEmails, deviceTokens } = (target ?? {}) as Record<string, unknown>;
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  return [
    ...list(userEmails).map((email) => ['userEmail', email] as const),
    ...list(deviceTokens).map((token) => ['deviceToken', token] as const),
  ];
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
