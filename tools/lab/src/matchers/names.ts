// The names that the product uses for what a world numbers: UUIDs and hashes.
import { hash as sha256 } from 'node:crypto';
import { getOrMake } from '../get-or-make.ts';

/** The time of a run's begin, in milliseconds since 1970. */
export const BEGIN = Date.UTC(2026, 10, 2);

export const timeOf = (at: number): Date => new Date(BEGIN + at);

type Kind = 'app' | 'link' | 'tap' | 'restore' | 'heartbeat' | 'opening';
const KINDS: Readonly<Record<Kind, string>> = {
  app: '8001',
  link: '8002',
  tap: '8003',
  restore: '8004',
  heartbeat: '8005',
  opening: '8006',
};

export const uuid = (kind: Kind, n: number): string =>
  `00000000-0000-4000-${KINDS[kind]}-${n.toString(16).padStart(12, '0')}`;

/** Returns the number of which `uuid` made the id. */
export const numberIn = (id: string): number => Number.parseInt(id.slice(24), 16);

export const APP_ID = uuid('app', 1);

/** Returns a name like the hashes of the product. */
export const hash = (text: string): string => sha256('sha256', text, 'base64url');

/** The same in 8 bytes, as models are hashed. */
export const shortHash = (text: string): string => Buffer.from(hash(text), 'base64url').toString('base64url', 0, 8);

/** Returns a function that gives each number a name, and remembers it. */
export function createHashes(what: string, hash: (text: string) => string): (n: number) => string {
  const known = new Map<number, string>();
  return (n) => getOrMake(known, n, () => hash(`${what} ${n}`));
}
