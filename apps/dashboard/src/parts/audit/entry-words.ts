// An entry of the audit log as people read it: a sentence with the name of the thing, and what became of each value.
import type { AuditEntry } from '@landfall/api-client';
import type words from '../../words/en.json';
import { capital } from '../capital.ts';

export type AuditAction = keyof typeof words.audit.actions;

type Told = Pick<AuditEntry, 'action' | 'before' | 'after'>;

/** Actions that have several readings. */
export function actionOf(entry: Told & Pick<AuditEntry, 'at' | 'subject' | 'actor'>): string {
  const { action, after, at, subject, actor } = entry;
  if (action === 'SendPush' && after?.test === true) return 'TestPush';
  if (action === 'SendPush' && Date.parse(`${after?.sendAt}`) > Date.parse(at)) return 'SchedulePush';
  if (action === 'RemoveMember' && subject === actor.userId) return 'LeaveTeam';
  return linkActionOf(entry);
}

/** An edit that only archives a link, or takes it back, is called so. */
function linkActionOf(entry: Told): string {
  const changed = differencesOf(entry).map(({ path }) => path);
  if (entry.action !== 'EditLink' || !changed.includes('archivedAt') || changed.some((name) => !OF_ARCHIVE.has(name)))
    return entry.action;
  return entry.after?.archivedAt === null ? 'UnarchiveLink' : 'ArchiveLink';
}

const OF_ARCHIVE = new Set(['archivedAt', 'version']);

/** The fields that name a thing, the best one first. */
const NAMES = ['label', 'name', 'domain', 'email', 'hint', 'title', 'destination', 'kind', 'group'];

/** Returns the name of the thing, as it was called before. Empty when the entry does not know one. */
export function nameIn({ before, after }: Told): string {
  const named = NAMES.flatMap((name) => [before?.[name], after?.[name]]);
  return named.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

/** `CreateKey` as "Create key". */
export const spelt = (name: string): string => {
  const words = name.replace(/([a-z\d])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`);
  return capital(words);
};

export interface Difference {
  path: string;
  /** Undefined: there was no such value. */
  from: unknown;
  to: unknown;
}

/** Returns the values that differ, at any depth. */
export function differencesOf({ before, after }: Told): Difference[] {
  return differences((before ?? {}) as Values, (after ?? {}) as Values, '');
}

type Values = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A new thing has many fields without a value. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function differences(before: Values, after: Values, above: string): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    const path = above + name;
    // The version counts the changes, and says nothing of this one.
    if (path === 'version' || (isEmpty(from) && isEmpty(to)) || JSON.stringify(from) === JSON.stringify(to)) return [];
    const inside = isGroup(from) || isGroup(to);
    const isOneKind = (isGroup(from) || from === undefined) && (isGroup(to) || to === undefined);
    if (inside && isOneKind) return differences((from ?? {}) as Values, (to ?? {}) as Values, `${path}.`);
    return [{ path, from, to }];
  });
}

/** The names of the platforms, which stand before their fields. */
const PLATFORMS: Readonly<Record<string, string>> = { ios: 'iOS', android: 'Android' };

/**
 * Returns the name of a value as its form calls it: `ios.bundleId` as "iOS: Bundle identifier". Without a form it is spelt.
 * @param forms the words of forms
 */
export function pathWords(path: string, forms: readonly object[]): string {
  const parts = path.split('.');
  const platform = parts.length > 1 ? PLATFORMS[parts[0]!] : undefined;
  const above = platform === undefined ? '' : `${platform}: `;
  for (const form of forms) {
    const found = parts.reduce<unknown>((at, part) => (at as Values | undefined)?.[part], form);
    if (typeof found === 'string') return above + found;
  }
  return above + spelt((platform === undefined ? parts : parts.slice(1)).join(', '));
}
