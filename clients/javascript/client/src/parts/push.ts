// The registration of the device for pushes, and reports of opened ones. What fails is sent at the next start.
import type { Push, PushOptions, User } from '../landfall.ts';
import { type Fields, type Link, linkOfPush, textOf } from '../link.ts';
import type { Core } from './core.ts';
import { userFields } from './reporting.ts';
import type { State } from './store.ts';
import type { Outcome } from './transport.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const MAX_OPENED = 20;

export class Pushes implements Push {
  private readonly core: Core;
  /** One after the other, so that the last registration is the one that the server keeps. */
  private queue: Promise<void> = Promise.resolve();
  /** The registration that was tried in this run. */
  private registered = '';
  private readonly tried = new Set<unknown>();

  constructor(core: Core) {
    this.core = core;
  }

  async register(token: string, options: PushOptions = {}): Promise<void> {
    await this.core.store.change((state) => {
      // What must still be unregistered is wanted again.
      state.unregister = state.unregister.filter((other) => other !== token);
      const isKnown = state.push?.token === token && JSON.stringify(state.push.options) === JSON.stringify(options);
      if (!isKnown) state.push = { token, options: { ...options }, user: state.push?.user ?? null, at: null };
    });
    await this.sync();
  }

  async unregister(): Promise<void> {
    await this.core.store.change((state) => {
      if (!state.push) return;
      this.tried.delete(state.push.token);
      state.unregister.push(state.push.token);
      state.push = null;
    });
    this.registered = '';
    await this.enqueue(() => this.sendUnregistrations());
  }

  opened(data: Fields): Link | null {
    const notificationId = textOf(data?.notificationId);
    const deviceToken = textOf(data?.deviceToken);
    if (notificationId !== null) void this.report({ notificationId, ...(deviceToken !== null && { deviceToken }) });
    const link = data ? linkOfPush(data) : null;
    // It is in no list of links that wait.
    return link && { ...link, handled: () => {} };
  }

  /** Sends what was not answered before. */
  catchUp(): void {
    void this.enqueue(() => this.sendUnregistrations());
    void this.sync();
    void this.enqueue(async () => {
      for (const report of this.core.store.state.opened) await this.sendReport(report);
    });
  }

  /** After `forget`. */
  clear(): void {
    this.registered = '';
    this.tried.clear();
  }

  /** Registers the device, if the registration is not the one that the server has. */
  sync(): Promise<void> {
    return this.enqueue(async () => {
      const { store, facts, system, user: given } = this.core;
      const { push } = store.state;
      if (!push || !this.core.allowed()) return;
      // Before the app has said who is signed in, it is the one of before.
      const user: User | null = given === undefined ? (push.user === null ? null : { email: push.user }) : given;
      const email = user?.email ?? null;
      const isDue = push.at === null || push.user !== email || this.core.isAway(push.at, WEEK_MS);
      const attempt = JSON.stringify([push.token, push.options, user]);
      if (!isDue || attempt === this.registered) return;
      this.registered = attempt;
      const { platform } = await facts.within(['platform']);
      if (platform === undefined)
        return this.core.problem('Nothing says the platform, so pushes cannot be registered.');
      await store.change(() => {
        push.user = email;
        push.at = null;
      });
      const body = { ...push.options, deviceToken: push.token, platform, ...userFields(user) };
      const outcome = await this.send('register', body);
      if (!outcome?.ok) return;
      await store.change(() => {
        push.at = system.now();
      });
    });
  }

  private async sendUnregistrations(): Promise<void> {
    const { store } = this.core;
    for (const deviceToken of store.state.unregister.filter((token) => !this.tried.has(token))) {
      this.tried.add(deviceToken);
      if (!(await this.send('unregister', { deviceToken }))) continue;
      await store.change((state) => {
        state.unregister = state.unregister.filter((token) => token !== deviceToken);
      });
    }
  }

  private async report(report: State['opened'][number]): Promise<void> {
    const { store } = this.core;
    await store.load();
    if (!this.core.allowed()) return;
    await store.change((state) => {
      state.opened = [...state.opened, report].slice(-MAX_OPENED);
    });
    await this.sendReport(report);
  }

  private async sendReport(report: State['opened'][number]): Promise<void> {
    if (this.tried.has(report)) return;
    this.tried.add(report);
    if (!(await this.send('opened', { ...report }))) return;
    await this.core.store.change((state) => {
      state.opened = state.opened.filter((other) => other !== report);
    });
  }

  /** Returns an answer or a refusal: neither is sent again. */
  private send(what: string, body: Fields): Promise<Outcome | null> {
    return this.core.quiet(this.core.tries(1, () => ({ path: `/api/push/${what}`, body })));
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.core.quiet(work());
    });
    return this.queue;
  }
}
