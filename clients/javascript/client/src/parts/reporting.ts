// Reports of the client: heartbeats, and restores, which bring links.
import type { User } from '../landfall.ts';
import { fieldsOf, type LinkData, linkOf, matchOf, textOf } from '../link.ts';
import { type Core, TRIES } from './core.ts';
import { EVIDENCE, evidenceOf, installAge } from './facts.ts';
import { DAY_MS } from './inbox.ts';
import type { Opening } from './opening.ts';
import type { State } from './store.ts';
import type { Outcome } from './transport.ts';

export class Reporting {
  private readonly core: Core;
  private readonly opening: Opening;
  /** Users of whom a restore of this run has spoken. */
  private readonly restoredFor = new Set<string>();
  private addressToken: string | undefined;
  private wantsClipboard = false;

  constructor(core: Core, opening: Opening) {
    this.core = core;
    this.opening = opening;
  }

  /** Collects what heartbeats and restores say, for at most a second. */
  async collect(): Promise<void> {
    const { facts, store, options } = this.core;
    this.wantsClipboard = options.clipboard === true && !store.state.restored;
    const once = store.state.restored
      ? []
      : (['installReferrer', ...(this.wantsClipboard ? ['clipboard' as const] : [])] as const);
    await facts.within(['installedAt', ...EVIDENCE, ...once], this.proveAddress());
  }

  async heartbeat(): Promise<void> {
    const { store, system } = this.core;
    const { heartbeatAt } = store.state;
    if (heartbeatAt !== null && !this.core.isAway(heartbeatAt, DAY_MS)) return;
    const body = await this.evidence();
    const outcome = await this.core.tries(1, () => ({ path: '/api/deferred-deep-linking/install-heartbeat', body }));
    this.sayRefusal('The heartbeat', outcome);
    if (!outcome?.ok) return;
    await store.change((state) => {
      state.heartbeatAt = system.now();
    });
  }

  /** Asks once more with the clipboard, if the system gives it only now, and nothing was found yet. */
  async restoreLate(opensBefore: number): Promise<void> {
    const { facts, inbox } = this.core;
    if (!this.wantsClipboard || this.copied()) return;
    await facts.until('clipboard');
    if (this.copied() && !inbox.last) await this.restore('clipboard', opensBefore);
  }

  /**
   * Asks for links, and delivers the newest.
   * @param why `start` is the first restore of a run
   * @param opensBefore how often a link was opened when it began
   */
  async restore(why: 'start' | 'user' | 'clipboard', opensBefore: number): Promise<void> {
    const { store, inbox, system, facts } = this.core;
    const isNew = !store.state.restored;
    const evidence = await this.evidence();
    const withClipboard = why === 'clipboard' || (isNew && why === 'start');
    const outcome = await this.core.tries(isNew || withClipboard ? TRIES : 1, () => {
      if (!this.core.allowed()) return null;
      const { user } = this.core;
      this.countIn(user);
      const { installReferrer } = facts.told;
      return {
        path: '/api/deferred-deep-linking/restore',
        body: {
          ...evidence,
          ...installAge(facts.told, system.now()),
          ...userFields(user),
          ...(isNew && installReferrer !== undefined && { installReferrer }),
          ...(withClipboard && this.copied()),
        },
      };
    });
    this.sayRefusal('The restore', outcome);
    if (!outcome?.ok) return;
    const { link: newest, id } = newestOf(outcome.body.restoredLinks);
    const isRepeated = id !== null && id === store.state.restoredId;
    const isDone = (state: State) => {
      state.restored = true;
      state.restoredId = id ?? state.restoredId;
    };
    if (!newest || isRepeated) await store.change(isDone);
    // The person has opened another link meanwhile, and stays there.
    else if (this.opening.count !== opensBefore) await inbox.keep(newest, isDone);
    else await inbox.deliver(newest, isDone);
  }

  /** Whether a restore of this run, or the link in its place, was for this user. */
  wasFor(user: User): boolean {
    return this.restoredFor.has(JSON.stringify(user));
  }

  countIn(user: User | null | undefined): void {
    if (user) this.restoredFor.add(JSON.stringify(user));
  }

  /** The clipboard, if it has a link. Whatever else is on it is nobody's business. */
  private copied(): { clipboard: string } | null {
    const { clipboard } = this.core.facts.told;
    return clipboard !== undefined && this.opening.isOurs(clipboard.trim()) ? { clipboard } : null;
  }

  private async evidence(): Promise<Readonly<Record<string, unknown>>> {
    const deviceFingerprint = await this.core.device();
    const { addressToken } = this;
    return {
      ...evidenceOf(this.core.facts.told),
      deviceFingerprint,
      ...(addressToken !== undefined && { addressToken }),
    };
  }

  private async proveAddress(): Promise<void> {
    const { ipv6Url: origin } = this.core.options;
    if (!origin) return;
    const query = { deviceFingerprint: await this.core.device() };
    const outcome = await this.core.ask({ origin, path: '/api/address', query });
    const token = outcome?.ok && outcome.body.addressToken;
    if (typeof token === 'string') this.addressToken = token;
  }

  /** Nobody waits for these answers, so a fault of the set-up would not be seen. */
  private sayRefusal(what: string, outcome: Outcome | null): void {
    if (!outcome || outcome.ok || outcome.status === 401 || outcome.status === 429) return;
    this.core.problem(`${what} was refused: ${String(outcome.body.error ?? outcome.status)}`);
  }
}

/** The fields of a user in a restore and a registration. */
export const userFields = (user: User | null | undefined) => ({
  ...(user && { userEmail: user.email, ...(user.token !== undefined && { identityToken: user.token }) }),
});

function newestOf(restoredLinks: unknown): { link: LinkData | null; id: string | null } {
  const items = (Array.isArray(restoredLinks) ? restoredLinks : []).map(fieldsOf);
  const found = items.map((item) => ({
    link: linkOf(item, 'deferred', matchOf(item.matchType)),
    id: textOf(item.pendingLinkId),
  }));
  return found.filter(({ link }) => link !== null).pop() ?? { link: null, id: null };
}
