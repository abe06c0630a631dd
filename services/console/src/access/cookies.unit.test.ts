import { expect, it } from 'vitest';
import { createCookies } from './cookies.ts';

const MARK = 'abcdefghijklmnopqrstuv';
const ID = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE';

it('are bound to the host with TLS', () => {
  const cookies = createCookies('https://api.example');
  expect(cookies.giveSession(ID, 60)).toBe(`__Host-landfall=${ID}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`);
  expect(cookies.takeSession()).toBe('__Host-landfall=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure');
  expect(cookies.giveDevice(ID, MARK)).toMatch(/^__Host-landfall-device=.*; Secure$/);
  expect(cookies.giveTransaction('a state', 'v1.x')).toMatch(
    /^__Host-landfall-sign-in-[0-9a-f]{16}=v1\.x; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookies.session({ cookie: `landfall=${ID}` })).toBeNull();
  expect(cookies.session({ cookie: `__Host-landfall=${ID}` })).toBe(ID);
});

it('have plain names without TLS', () => {
  const cookies = createCookies('http://localhost:8080');
  expect(cookies.giveSession(ID, 60)).toBe(`landfall=${ID}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`);
});

it('are read at any position, and only in our format', () => {
  const { session, device, transaction, transactions, transactionName } = createCookies('http://localhost:8080');
  for (const cookie of [`landfall=${ID}`, ` landfall=${ID} `, `a=b; landfall=${ID};x`, `landfall=x; landfall=${ID}`])
    expect(session({ cookie }), cookie).toBe(ID);
  for (const cookie of ['', 'landfall', `landfall=${ID}x`, `landfall="${ID}"`, `Landfall=${ID}`, `xlandfall=${ID}`])
    expect(session({ cookie }), cookie).toBeNull();
  expect(session({})).toBeNull();
  expect(device({ cookie: `landfall=${ID}` })).toBeNull();
  expect(device({ cookie: `landfall-device=${ID}` })).toEqual({ id: ID, mark: null });
  expect(device({ cookie: `landfall-device=${ID}.${MARK}` })).toEqual({ id: ID, mark: MARK });
  for (const other of [`${ID}.`, `${ID}.${MARK}x`, `${ID}.${MARK}.${MARK}`])
    expect(device({ cookie: `landfall-device=${other}` })).toBeNull();
  const sealed = `v1.${ID}`;
  const name = transactionName('a state');
  const other = { name: transactionName('another state'), sealed: `${sealed}x` };
  const cookie = `${name}=${sealed}; ${other.name}=${other.sealed}`;
  expect(transaction({ cookie }, 'a state')).toBe(sealed);
  expect(transaction({ cookie }, 'another state')).toBe(other.sealed);
  expect(transaction({ cookie }, 'no state')).toBeNull();
  expect(transactions({ cookie: `${cookie}; landfall=${ID}` })).toEqual([{ name, sealed }, other]);
  for (const wrong of [ID, `${sealed}.`, `v1.${'x'.repeat(4_001)}`, 'v1.short'])
    expect(transaction({ cookie: `${name}=${wrong}` }, 'a state')).toBeNull();
});
