// What the requests of a run have said that may lie in no topic in clear: who asks, from where and with which key.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sent } from '../http.ts';

const HEADERS = ['x-forwarded-for', 'authorization', 'x-service-sdk-key', 'x-openlynk-sdk-key', 'user-agent'];
const FIELDS = ['userEmail', 'deviceFingerprint', 'installReferrer'];

const fileIn = (folder: string) => path.join(folder, 'secrets-said.jsonl');

export function noteSecrets(folder: string, { headers = {}, body }: Sent): void {
  const fields = typeof body === 'string' ? parsed(body) : ((body ?? {}) as Record<string, unknown>);
  const said = [
    ...Object.entries(headers).filter(([name]) => HEADERS.includes(name.toLowerCase())),
    ...FIELDS.map((field) => [field, fields?.[field]] as const),
  ].filter(([, value]) => typeof value === 'string');
  appendFileSync(fileIn(folder), said.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** By what they are, e.g. `userEmail`; each once. */
export function secretsSaid(folder: string): Map<string, string> {
  const lines = existsSync(fileIn(folder)) ? readFileSync(fileIn(folder), 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => (JSON.parse(line) as [string, string]).toReversed() as [string, string]));
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
