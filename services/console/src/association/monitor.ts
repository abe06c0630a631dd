// Checks the association files of every app once an hour. Of several consoles, one takes each app.
import { randomUUID } from 'node:crypto';
import { told } from '@landfall/bus';
import { type App, AppAssociationChanged } from '@landfall/contracts';
import { ownHosts } from '@landfall/gateway';
import type { Logger } from '@landfall/runtime';
import type { AccountRepository } from '../account-repository.ts';
import type { Outbox } from '../changes/outbox.ts';
import { repeat } from '../common/repeat.ts';
import type { ConsoleConfig } from '../config.ts';
import { checkHosts } from './app-checks.ts';
import type { AssociationCheck, AssociationFinding } from './association-repository.ts';
import type { GetFile } from './get-file.ts';

export interface MonitorParts {
  account: Pick<AccountRepository, 'association'>;
  telling: Outbox['telling'];
  config: ConsoleConfig;
  log: Logger;
  get: GetFile;
  checked(failing: boolean): void;
  now(): Date;
}

/** Milliseconds between two looks for apps that are due. */
const LOOK_MS = 300_000;
/** Seconds from one check of an app to the next. */
const AGAIN_SECONDS = 3_600;
/** A random part of this size is added, so that the apps of an installation are not all due at once. */
const JITTER = 0.2;
const AT_ONCE = 10;

/** Phones open apps only from https links, so without https there is nothing to check. */
export const monitors = ({ ASSOCIATION_CHECKS, PUBLIC_URL }: ConsoleConfig): boolean =>
  ASSOCIATION_CHECKS !== 'off' && PUBLIC_URL.startsWith('https:');

/** Starts the checks. `stop` waits for the running check. */
export const startMonitor = (parts: MonitorParts): { stop(): Promise<void> } =>
  repeat((signal) => checkDue(parts, signal), {
    // Several consoles that start together do not look together.
    firstMs: LOOK_MS * Math.random(),
    restMs: LOOK_MS,
    log: parts.log,
    failed: 'the association files could not be checked',
  });

/** Checks all apps that are due, some at a time. */
export async function checkDue(parts: MonitorParts, signal?: AbortSignal): Promise<void> {
  const { association } = parts.account;
  for (;;) {
    const now = parts.now();
    const nextAt = new Date(now.getTime() + withJitter(AGAIN_SECONDS) * 1_000);
    const apps = await association.take(now, nextAt, AT_ONCE);
    await Promise.all(apps.map((app) => checkAndStore(app, parts)));
    if (apps.length < AT_ONCE || signal?.aborted) return;
  }
}

/** Returns the stored check. Null: the app does not exist any more. */
export async function checkAndStore(app: App, parts: MonitorParts): Promise<AssociationCheck | null> {
  const { config, get } = parts;
  const { protocol: scheme } = new URL(config.PUBLIC_URL);
  const withCopies = config.ASSOCIATION_CHECKS === 'all' && monitors(config);
  const findings = await checkHosts({ app, scheme, hosts: ownHosts(app, config), get }, withCopies);
  const check = await storeCheck(parts, app.id, findings);
  if (check) parts.checked(check.failing);
  return check;
}

/** An older check than the stored one changes nothing. A public event tells when the result changes. */
export function storeCheck(
  { account, telling, now }: Pick<MonitorParts, 'account' | 'telling' | 'now'>,
  appId: string,
  findings: AssociationFinding[],
): Promise<AssociationCheck | null> {
  const at = now();
  const checkedAt = at.toISOString();
  const failed = findings.filter(({ state }) => state === 'failed');
  const failing = failed.length > 0;
  return telling({ id: randomUUID(), now: at }, async (tx) => {
    const stored = await account.association.store(tx, appId, { checkedAt, failing, findings });
    if (!stored?.changed) return { done: stored?.check ?? null };
    const said = failed.map(({ check, host, detail }) => ({ check, host, detail }));
    const events = [told(AppAssociationChanged, { appId, failing, checkedAt, failed: said })];
    return { done: stored.check, events };
  });
}

const withJitter = (value: number): number => value * (1 + JITTER * Math.random());
