// Links that a person opened in the app, and their look-up.
import { partsOf, slugOf } from '../address.ts';
import { linkOf } from '../link.ts';
import { type Core, TRIES } from './core.ts';
import { DAY_MS } from './inbox.ts';
import type { State } from './store.ts';
import type { Question } from './transport.ts';

export class Opening {
  /** How often a link was opened in this run. */
  count = 0;
  /** The look-up of the last link that was opened. It never rejects. */
  last: Promise<unknown> | undefined;
  private readonly core: Core;

  constructor(core: Core) {
    this.core = core;
  }

  isOurs(url: string): boolean {
    const parts = partsOf(url);
    return parts !== null && this.core.hosts.includes(parts.host) && slugOf(parts.path) !== '';
  }

  /** @param since when it could not be looked up for the first time, in milliseconds */
  open(url: string, since?: number): boolean {
    if (!this.isOurs(url)) return false;
    this.count++;
    this.last = this.core.quiet(this.lookUp(url, since));
    return true;
  }

  /** Opens the link that could not be looked up before. Returns whether there is one. */
  openAgain(): boolean {
    const { unresolved } = this.core.store.state;
    return unresolved !== null && !this.core.isAway(unresolved.at, DAY_MS) && this.open(unresolved.url, unresolved.at);
  }

  /** Without consent it has no key, so that it is not counted. */
  questionOf(url: string): Question {
    const { host = '', path = '' } = partsOf(url) ?? {};
    const query = { slug: slugOf(path), hostname: host };
    return { path: '/api/links/get-by-slug', query, key: this.core.allowed() };
  }

  private async lookUp(url: string, since?: number): Promise<void> {
    const { store, inbox, system } = this.core;
    await store.load();
    const outcome = await this.core.tries(TRIES, () => this.questionOf(url));
    if (!outcome) {
      return store.change((state) => {
        state.unresolved = { url, at: since ?? system.now() };
      });
    }
    const isDone = (state: State) => {
      if (state.unresolved?.url === url) state.unresolved = null;
    };
    const link = outcome.ok ? linkOf(outcome.body.link, 'direct', 'link') : null;
    if (link) {
      await inbox.deliver(link, isDone);
    } else {
      const why = outcome.ok ? 'it has no destination' : outcome.body.error;
      // Of a wrong key it was said already.
      if (outcome.status !== 401) this.core.problem(`The link ${url} was not opened: ${String(why)}`);
      await store.change(isDone);
    }
  }
}
