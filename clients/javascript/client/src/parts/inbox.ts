// Links on their way to the app: each is stored before it is delivered, and until the app has handled it.
import type { Link, LinkData } from '../link.ts';
import type { State, Store, Waiting } from './store.ts';

const MAX_WAITING = 5;
const MAX_DELIVERIES = 3;
export const DAY_MS = 24 * 60 * 60 * 1_000;

export class Inbox {
  last: Link | null = null;
  /** Called with each link before the listeners. */
  onDelivery: (link: Link) => void = () => {};
  private readonly store: Store;
  private readonly now: () => number;
  private readonly problem: (sentence: string) => void;
  private readonly listeners = new Set<(link: Link) => void>();
  private early: Link[] = [];
  private opened = new Set<string>();
  private fresh = new Set<Waiting>();

  constructor(store: Store, now: () => number, problem: (sentence: string) => void) {
    this.store = store;
    this.now = now;
    this.problem = problem;
  }

  listen(listener: (link: Link) => void): () => void {
    // The same function may listen twice.
    const own = (link: Link) => listener(link);
    this.listeners.add(own);
    for (const link of this.early.splice(0)) this.tell(own, link);
    return () => {
      this.listeners.delete(own);
    };
  }

  /** Stores the link, with `edit` in the same write, and delivers it. One that the person has opened comes once. */
  async deliver(data: LinkData, edit: (state: State) => void): Promise<void> {
    const entry = { ...data, at: this.now(), deliveries: 1 };
    if (data.via === 'direct') this.opened.add(nameOf(data));
    else if (this.opened.has(nameOf(data))) return this.store.change(edit);
    this.fresh.add(entry);
    await this.store.change((state) => {
      edit(state);
      add(state, entry);
    });
    this.emit(entry);
  }

  /** Stores a link for the next start, unless the person has opened it in this run. */
  keep(data: LinkData, edit: (state: State) => void): Promise<void> {
    return this.store.change((state) => {
      edit(state);
      if (!this.opened.has(nameOf(data))) add(state, { ...data, at: this.now(), deliveries: 0 });
    });
  }

  /** Delivers the newest link that waits, if there is one, and drops those that waited too long. */
  async again(): Promise<Link | null> {
    const isAlive = ({ at, deliveries }: Waiting) => Math.abs(this.now() - at) <= DAY_MS && deliveries < MAX_DELIVERIES;
    const alive = this.store.state.waiting.filter(isAlive);
    const newest = alive[alive.length - 1];
    if (alive.length < this.store.state.waiting.length || newest) {
      await this.store.change((state) => {
        state.waiting = state.waiting.filter(isAlive);
        if (newest) newest.deliveries++;
      });
    }
    return newest ? this.emit(newest) : null;
  }

  /** The links that were delivered before this run, and still wait. */
  forgotten(): readonly Waiting[] {
    return this.store.state.waiting.filter((entry) => entry.deliveries > 0 && !this.fresh.has(entry));
  }

  clear(): void {
    this.last = null;
    this.early = [];
    this.opened = new Set();
    this.fresh = new Set();
  }

  private emit(entry: Waiting): Link {
    const { at: _at, deliveries: _deliveries, ...data } = entry;
    const handled = () => {
      void this.store.change((state) => {
        state.waiting = state.waiting.filter((other) => other !== entry);
      });
    };
    const link = { ...data, handled };
    this.last = link;
    this.onDelivery(link);
    if (this.listeners.size === 0) this.early.push(link);
    for (const listener of [...this.listeners]) this.tell(listener, link);
    return link;
  }

  private tell(listener: (link: Link) => void, link: Link): void {
    try {
      listener(link);
    } catch (error) {
      this.problem(`A listener of onLink failed: ${String(error)}`);
    }
  }
}

const nameOf = ({ linkId, destination }: LinkData): string => linkId ?? destination;

/** A link that waits is replaced by the same link, so that it comes once. */
function add(state: State, entry: Waiting): void {
  const others = state.waiting.filter(({ linkId }) => linkId === null || linkId !== entry.linkId);
  state.waiting = [...others, entry].slice(-MAX_WAITING);
}
