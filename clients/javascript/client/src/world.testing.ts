// A phone for tests: a clock, a storage, facts, and a network that answers when it is told to.
import { setImmediate as afterAll } from 'node:timers/promises';
import { queryOf } from './address.ts';
import type { System } from './index.ts';

/** An answer of a server. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that waits for its answer. */
export interface Asked {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  answer(answer: Answer): void;
  fail(): void;
}

export class World {
  /** Requests that no test has taken yet. */
  requests: Asked[] = [];
  /** What is stored under `landfall`. */
  stored: string | undefined;
  initialLink: string | undefined;
  /** Calls the running app with a URL. */
  openUrl: (url: string) => void = () => {};
  /** What the system tells. */
  device: Readonly<Record<string, unknown>>;
  private now: number;
  private timers = new Set<{ readonly at: number; readonly done: () => void }>();
  private ids = 0;
  private run = 0;

  constructor(now: number, device: Readonly<Record<string, unknown>>, stored?: string) {
    this.now = now;
    this.device = device;
    this.stored = stored;
  }

  /** Lets the client do all that needs no time. */
  async settle(): Promise<void> {
    await afterAll();
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await this.settle();
      const [next] = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.now = Math.max(this.now, next.at);
      this.timers.delete(next);
      next.done();
    }
    this.now = end;
    await this.settle();
  }

  /** Ends the app: what it has begun is lost. */
  kill(clock: number, device?: object): void {
    this.run++;
    this.now += clock;
    this.device = { ...this.device, ...device };
    this.initialLink = undefined;
    this.timers.clear();
    this.requests = [];
  }

  system(): System {
    const { run } = this;
    const told = (name: string) => this.fact(this.device[name]) as Promise<never>;
    return {
      client: 'test/1.0.0',
      storage: {
        getItem: async () => this.stored,
        setItem: async (_key, value) => {
          if (run === this.run) this.stored = value;
        },
        removeItem: async () => {
          this.stored = undefined;
        },
      },
      fetch: (url, init) => (run === this.run ? this.fetch(url, init) : new Promise(() => {})),
      facts: {
        id: () => told('id'),
        platform: () => told('platform'),
        osVersion: () => told('osVersion'),
        model: () => told('model'),
        language: () => told('language'),
        appVersion: () => told('appVersion'),
        installedAt: async () => (this.device.installedAt ? Date.parse(String(this.device.installedAt)) : undefined),
        installReferrer: () => told('installReferrer'),
        clipboard: () => told('clipboard'),
        appId: () => told('appId'),
        certificates: () => told('certificates'),
        opens: () => told('opens'),
      },
      now: () => this.now,
      timer: (ms, done) => this.timer(ms, done),
      uuid: () => `11111111-1111-4111-8111-1111111111${String(11 + this.ids++)}`,
      initialLink: async () => this.initialLink,
      links: (listener) => {
        this.openUrl = listener;
      },
      log: () => {},
    };
  }

  private timer(ms: number, done: () => void): () => void {
    const timer = { at: this.now + ms, done };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  private async fact(value: unknown): Promise<unknown> {
    const late = value as { afterMs?: number; value?: unknown } | undefined;
    if (late?.afterMs === undefined) return value;
    await new Promise<void>((resolve) => {
      this.timer(late.afterMs as number, resolve);
    });
    return late.value;
  }

  private fetch(url: string, { method, headers, body }: Parameters<System['fetch']>[1]): ReturnType<System['fetch']> {
    const [, host = '', path = ''] = /^https?:\/\/([^/]+)([^?]*)/.exec(url) ?? [];
    return new Promise((resolve, reject) => {
      this.requests.push({
        method,
        host,
        path,
        query: queryOf(url),
        body: body === undefined ? undefined : JSON.parse(body),
        headers,
        fail: () => reject(new TypeError('Network request failed')),
        answer: (answer) =>
          resolve({
            status: answer.status,
            headers: { get: (name) => answer.headers?.[name] ?? null },
            text: async () => answer.text ?? JSON.stringify(answer.json),
          }),
      });
    });
  }
}
