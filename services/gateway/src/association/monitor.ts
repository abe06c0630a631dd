// Checks the association files of every app once an hour. The account service gives each app to one gateway.
import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@landfall/bus';
import { type App, type AssociationCheck, StoreAssociationCheck, TakeAssociationChecks } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { GatewayConfig } from '../config.ts';
import { ownHosts } from '../links/link-view.ts';
import { checkHosts } from './app-checks.ts';
import type { GetFile } from './get-file.ts';

export interface MonitorParts {
  bus: Bus;
  config: GatewayConfig;
  log: Logger;
  get: GetFile;
  /** Called for each stored check. */
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
export const monitors = ({ ASSOCIATION_CHECKS, PUBLIC_URL }: GatewayConfig): boolean =>
  ASSOCIATION_CHECKS !== 'off' && PUBLIC_URL.startsWith('https:');

/** Starts the checks. `stop` waits for the running check. */
export function startMonitor(parts: MonitorParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await delay(withJitter(LOOK_MS) * Math.random(), undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await checkDue(parts, signal);
      await delay(LOOK_MS / 2, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Checks all apps that are due, some at a time. A failure is logged, and the next look does what is left. */
export async function checkDue(parts: MonitorParts, signal?: AbortSignal): Promise<void> {
  try {
    for (;;) {
      const againAfterSeconds = Math.round(withJitter(AGAIN_SECONDS));
      const taken = await parts.bus.ask(TakeAssociationChecks, { limit: AT_ONCE, againAfterSeconds });
      const apps = taken.ok ? taken.reply.apps : [];
      await Promise.all(apps.map((app) => checkAndStore(app, parts)));
      if (apps.length < AT_ONCE || signal?.aborted) return;
    }
  } catch (err) {
    parts.log.warn({ err }, 'the association files could not be checked');
  }
}

/** Returns the stored check. Null: the app does not exist any more. */
export async function checkAndStore(app: App, parts: MonitorParts): Promise<AssociationCheck | null> {
  const { bus, config, get } = parts;
  const findings = await checkHosts({
    app,
    scheme: new URL(config.PUBLIC_URL).protocol,
    hosts: ownHosts(app, config),
    get,
    copies: config.ASSOCIATION_CHECKS === 'all' && monitors(config),
  });
  const checkedAt = parts.now().toISOString();
  const stored = await bus.ask(StoreAssociationCheck, { appId: app.id, checkedAt, findings });
  if (!stored.ok) return null;
  parts.checked(stored.reply.check.failing);
  return stored.reply.check;
}

const withJitter = (value: number): number => value * (1 + JITTER * Math.random());
