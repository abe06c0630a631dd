import type { Key } from '@landfall/api-client';
import { table } from '../table.ts';
import { type Api, got } from './api.ts';
import { type Action, appOf, type Given, ofApp, option, resource } from './resource.ts';

const KEYS = '/api/manage/apps/{appId}/keys';

const ofKey = async (api: Api, given: Given) => ({ ...(await appOf(api, given)), keyId: given.places[0]! });

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function seconds({ text, wrong }: Given): number | undefined {
  if (text.overlap === undefined) return undefined;
  const [, count, unit = 's'] = /^(\d{1,7})([smhd])?$/.exec(text.overlap) ?? [];
  if (count === undefined) throw wrong(`--overlap must be a time such as 90m, 12h or 7d, not "${text.overlap}"`);
  return Number(count) * SECONDS[unit]!;
}

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'live';
  return Date.parse(expiresAt) <= Date.now() ? `expired ${expiresAt}` : `until ${expiresAt}`;
}

const KEEP = 'It is shown this once, and kept nowhere.';

const actions: readonly Action[] = [
  {
    name: 'list',
    description: 'Lists keys, revoked ones included.',
    options: [ofApp],
    async run(given, api) {
      const { keys } = await got(api.GET(KEYS, { params: { path: await appOf(api, given) } }));
      const lines = table(keys, {
        ID: ({ id }) => id,
        KIND: ({ kind }) => kind,
        LABEL: ({ label }) => label,
        KEY: ({ hint }) => hint,
        STATE: stateOf,
        MADE: ({ createdAt }) => createdAt,
        'LAST USED': ({ lastUsedAt }) => lastUsedAt,
      });
      return { json: { keys }, lines };
    },
  },
  {
    name: 'create',
    description: 'Makes a key, and prints it once.',
    options: [
      ofApp,
      option('--label <text>', 'its name in lists'),
      option('--server', 'for a backend, instead of an app'),
    ],
    async run(given, api) {
      const { label = '' } = given.text;
      const kind = given.has('server') ? 'server' : 'mobile';
      const path = await appOf(api, given);
      const answer = await got(api.POST(KEYS, { params: { path }, body: { label, kind } }));
      return { json: answer, once: answer.plaintext, lines: [`The ${kind} key ${answer.key.id}. ${KEEP}`] };
    },
  },
  {
    name: 'rotate',
    places: ['<key id>'],
    description: 'Makes a new key, and prints it once. The old key works for another day, or for --overlap.',
    options: [
      ofApp,
      option('--overlap <time>', 'time that the old key works on: 90m, 12h, 7d'),
      option('--label <text>', 'the name of the new key in lists'),
    ],
    async run(given, api) {
      const body = { overlapSeconds: seconds(given), label: given.text.label };
      const path = await ofKey(api, given);
      const answer = await got(api.POST(`${KEYS}/{keyId}/rotate`, { params: { path }, body }));
      const { key, replaced } = answer;
      const lines = [`The ${key.kind} key ${key.id}. ${KEEP}`, `${replaced.id} works until ${replaced.expiresAt}.`];
      return { json: answer, once: answer.plaintext, lines };
    },
  },
  {
    name: 'revoke',
    places: ['<key id>'],
    description: 'Revokes a key. It stops working at once.',
    options: [ofApp],
    async run(given, api) {
      const path = await ofKey(api, given);
      const answer = await got(api.DELETE(`${KEYS}/{keyId}`, { params: { path } }));
      const { key, usage } = answer;
      const share = usage?.share24h == null ? '' : ` ${percent(usage.share24h)} of the app's traffic came with it.`;
      return { json: answer, lines: [`${key.id} is revoked.${share}`] };
    },
  },
];

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

export const addKeys = resource('keys', 'List, make, rotate and revoke the SDK keys of an app.', actions);
