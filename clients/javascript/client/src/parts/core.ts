// The state and the tools that all parts of a client share.
import { hostOf } from '../address.ts';
import type { CoreOptions, User } from '../landfall.ts';
import { bounded, type System } from '../system.ts';
import { FactBook } from './facts.ts';
import { Inbox } from './inbox.ts';
import { Store } from './store.ts';
import { type Ask, LandfallError, type Outcome, type Question, transport } from './transport.ts';

/** Milliseconds between the tries of a first restore, and of a look-up of an opened link. */
const RETRIES_MS = [2_000, 8_000];

/** The times that a request is tried which must not be lost. */
export const TRIES = RETRIES_MS.length + 1;

/**
 * What is wrong here would fail only later, and silently: each request, or each link.
 * @throws {TypeError}
 */
function check({ url, key, hosts }: CoreOptions): void {
  const wrong = !/^https?:\/\/[^/?#\s]+\/*$/i.test(url)
    ? '`url` must be the origin of the API: https://api.example'
    : !/^ol_[\da-f]{32}$/.test(key)
      ? '`key` must be a mobile key: ol_ and 32 hexadecimal digits'
      : !Array.isArray(hosts) || !hosts.length || !hosts.every((host) => host && hostOf(host))
        ? '`hosts` must list the hosts of the links: ["shop.links.example"]'
        : null;
  if (wrong) throw new TypeError(`${wrong}.`);
}

export class Core {
  readonly options: CoreOptions;
  readonly system: System;
  readonly hosts: readonly string[];
  readonly store: Store;
  readonly facts: FactBook;
  readonly inbox: Inbox;
  /** Sends once. */
  readonly ask: Ask;
  /** Undefined if `identify` was not called in this run. */
  user: User | null | undefined;
  /** Counts calls of `forget`: what began before must store nothing after it. */
  era = 0;

  constructor(options: CoreOptions, system: System) {
    check(options);
    this.options = options;
    this.system = system;
    this.hosts = options.hosts.map(hostOf);
    const problem = (sentence: string) => this.problem(sentence);
    this.facts = new FactBook(system);
    const installedAt = async () => (await this.facts.within(['installedAt'])).installedAt;
    this.store = new Store(system.storage, installedAt, problem);
    this.inbox = new Inbox(this.store, () => system.now(), problem);
    this.ask = transport(options, system, async () => (await this.facts.within(['appVersion'])).appVersion, problem);
  }

  problem(sentence: string): void {
    try {
      (this.options.onProblem ?? this.system.log)(sentence);
    } catch {
      // A fault of the app's own function must not end ours.
    }
  }

  /** Returns whether the person allows to send. Read it after the storage was read. */
  allowed(): boolean {
    return this.store.state.consent ?? this.options.consent !== 'required';
  }

  /** Whether a time lies so many milliseconds or more away. A clock may have been set back. */
  isAway(time: number, ms: number): boolean {
    return Math.abs(this.system.now() - time) >= ms;
  }

  /** Returns the id of the device. Makes and stores one if there is none. */
  async device(): Promise<string> {
    const { store, facts, system } = this;
    await store.load();
    if (store.state.device === null) {
      const { id } = await facts.within(['id']);
      if (store.state.device === null) {
        await store.change((state) => {
          state.device ??= id ?? system.uuid();
        });
      }
    }
    return store.state.device ?? '';
  }

  /**
   * Sends, and again if there was no answer. `question` returns null if it may not be sent any more.
   * @throws {LandfallError} `FORGOTTEN`
   */
  async tries(times: number, question: () => Question | null): Promise<Outcome | null> {
    const begun = this.era;
    for (let i = 0; ; i++) {
      const next = question();
      const outcome = next && (await this.ask(next));
      this.stillIn(begun);
      if (outcome || !next || i >= times - 1) return outcome;
      await bounded(this.system, RETRIES_MS[i] as number, new Promise(() => {}));
      this.stillIn(begun);
    }
  }

  private stillIn(era: number): void {
    if (era !== this.era) throw new LandfallError('FORGOTTEN', 'forget() was called.');
  }

  /** For what runs by itself: nothing of it may reject. */
  async quiet<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof LandfallError)) this.problem(`The client has a fault: ${String(error)}`);
      return null;
    }
  }
}
