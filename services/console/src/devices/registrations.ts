// The devices registered for push that a text names.
import { FindDevice, FindInstall, ListDevices, ListRestores } from '@landfall/contracts';
import { hashOfToken } from '@landfall/gateway';
import type { ConsoleParts } from '../parts.ts';

/** An id, or its first digits. Lists show 8 of them. */
const ID_START = /^[\da-f]{8,32}$/;
/** Registrations with one id, or with one beginning of it, whose users are looked for. */
const MOST_OF_ID = 2;

/** Those of the user with this email or id, with this push token, and with this id or beginning of an id. */
export async function registrationsOf(appId: string, given: string, most: number, parts: ConsoleParts) {
  const { forward, hashes } = parts;
  const asked = { appId, limit: most, cursor: null };
  const [ofUser, ofToken, ofId] = await Promise.all([
    forward(ListDevices, { ...asked, email: hashes.email(given) }),
    forward(ListDevices, { ...asked, email: null, tokenHash: hashOfToken(given) }),
    withId(appId, given, most, parts),
  ]);
  return [...ofUser.devices, ...ofToken.devices, ...ofId].slice(0, most);
}

async function withId(appId: string, given: string, limit: number, { forward }: Pick<ConsoleParts, 'forward'>) {
  const idStart = given.toLowerCase().replaceAll('-', '');
  if (!ID_START.test(idStart)) return [];
  return (await forward(ListDevices, { appId, email: null, idStart, limit, cursor: null })).devices;
}

/** The hashes of the users who are signed in on the registrations with this id. */
export async function usersOfRegistrations(appId: string, given: string, parts: ConsoleParts): Promise<string[]> {
  const devices = await withId(appId, given, MOST_OF_ID, parts);
  const asked = devices.map(({ id }) => parts.forward(FindDevice, { appId, deviceId: id, limit: 1, cursor: null }));
  return (await Promise.all(asked)).flatMap(({ user }) => user ?? []);
}

/** The same, and those of the users who started the app on the device with this fingerprint or id. */
export async function registrationsNamed(appId: string, given: string, most: number, parts: ConsoleParts) {
  const [named, users] = await Promise.all([
    registrationsOf(appId, given, most, parts),
    usersOfInstall(appId, given, parts),
  ]);
  const asked = users.map((email) => parts.forward(ListDevices, { appId, email, limit: most, cursor: null }));
  const ofInstall = (await Promise.all(asked)).flatMap(({ devices }) => devices);
  return [...new Map([...named, ...ofInstall].map((device) => [device.id, device])).values()].slice(0, most);
}

async function usersOfInstall(appId: string, given: string, { bus, forward, hashes }: ConsoleParts): Promise<string[]> {
  const of = { ...NOBODY, ...namedDevices(given, hashes) };
  const { restores } = await forward(ListRestores, { appId, limit: 1, cursor: null, filter: { of } });
  const device = restores[0]?.device ?? null;
  const install = device === null ? null : await bus.ask(FindInstall, { appId, device });
  return install?.ok ? install.reply.users : [];
}

const NOBODY = { users: [], linkIds: [] };

const HASH = /^[A-Za-z0-9_-]{43}$/;
/** Lists show the first 8 characters. */
const HASH_START = /^[\w-]{8,42}$/;

/** The devices of starts that a fingerprint, an id or the beginning of an id may name. */
export const namedDevices = (given: string, hashes: ConsoleParts['hashes']) => ({
  devices: [hashes.fingerprint(given), ...(HASH.test(given) ? [given] : [])],
  deviceStarts: HASH_START.test(given) ? [given] : [],
});
