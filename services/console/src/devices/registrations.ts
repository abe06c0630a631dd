// The devices registered for push that a text names.
import { FindDevice, ListDevices } from '@landfall/contracts';
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
