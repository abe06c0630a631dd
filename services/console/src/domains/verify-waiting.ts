// Verifies domains when their record comes. The DNS may take an hour to show it, and nobody looks at a page for so long.
import { OPERATOR } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import type { ConsoleParts } from '../parts.ts';
import { createDns } from './dns.ts';
import { assertProven, verifyProven } from './domains.ts';

type Parts = Pick<ConsoleParts, 'account' | 'change' | 'config' | 'log' | 'now'>;

/** Milliseconds between two looks. */
export const LOOK_MS = 300_000;
/** Older claims wait for somebody who opens the page. */
const FOR_MS = 7 * 86_400_000;
const AT_MOST = 200;

/** Asks the DNS for each domain that waits. Several consoles may do the same: the second change finds it done. */
export async function verifyWaiting(parts: Parts, signal?: AbortSignal): Promise<void> {
  const { account, change, config, log, now } = parts;
  const dns = createDns(config.DNS_SERVERS);
  for (const claim of await account.domains.unverified(new Date(now().getTime() - FOR_MS), AT_MOST)) {
    if (signal?.aborted) return;
    try {
      await assertProven(claim, dns);
      await change({ command: 'VerifyDomain', actor: OPERATOR, now: now() }, verifyProven(claim));
      log.info({ appId: claim.appId, domain: claim.domain }, 'a custom domain was verified');
    } catch (error) {
      // The record is not there yet, or another app was first.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
