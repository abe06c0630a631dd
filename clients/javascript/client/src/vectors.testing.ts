// Replays the stories of `clients/vectors` with a client, a clock of its own, and requests that the story answers. The
// other packages use it, too, with their own way to make a client.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CoreOptions, Finding, Landfall, Link, System } from './index.ts';
import { createClient } from './index.ts';
import { type Answer, type Asked, World } from './world.testing.ts';

/** A story. Its words are those of `clients/vectors/README.md`. */
export interface Vector {
  readonly about: string;
  readonly real?: false;
  /** What a product needs to have before, and no client sees. */
  readonly app?: Readonly<Record<string, unknown>>;
  readonly tap?: string;
  readonly tapFrom?: 'ipv6' | 'elsewhere';
  readonly waiting?: { readonly userEmail: string; readonly links: readonly string[] };
  readonly storage?: string;
  readonly now: string;
  readonly device: Readonly<Record<string, unknown>>;
  readonly configure: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
type Step = Readonly<Record<string, unknown>>;

/** How a story is replayed, if not with the core alone. */
export interface Stage {
  /** Makes the client of one run of the app. */
  readonly make?: (options: CoreOptions, system: System, device: Vector['device']) => Landfall;
  /** The name and version of the client, if not those of the stories. */
  readonly client?: string;
  /** Answers instead of the story. `recorded` is the answer that the story has. */
  readonly exchange?: (request: Asked, recorded: Answer) => Promise<Answer>;
  /** Is told how many milliseconds pass in the story. */
  readonly passes?: (ms: number) => void;
}

const OPTIONS = { url: 'https://api.example', key: 'ol_00000000000000000000000000000001' };

/** @param folder the one of the vectors */
export function readVectors(folder: string): [name: string, vector: Vector][] {
  const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const values = read('values.json');
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    const { $: name, ...own } = value as Record<string, unknown>;
    const fields = Object.fromEntries(Object.entries(own).map(([key, field]) => [key, filled(field)]));
    if (name === undefined) return fields;
    assert.ok((name as string) in values, `values.json has no ${String(name)}`);
    return { ...(filled(values[name as string]) as object), ...fields };
  };
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'values.json');
  return files.sort().map((file) => [file.replace('.json', ''), filled(read(file)) as Vector]);
}

/** Replays a story, and rejects with what was different. */
export async function replay(vector: Vector, stage: Stage = {}): Promise<void> {
  const play = new Play(vector, stage);
  await play.launch();
  for (const [i, step] of vector.steps.entries()) {
    try {
      await play.step(step);
      await play.world.settle();
    } catch (error) {
      throw new Error(`step ${i + 1}, ${JSON.stringify(step).slice(0, 200)}: ${String(error)}`, { cause: error });
    }
  }
  assert.deepEqual(play.world.requests, [], 'a request is left');
  assert.deepEqual(play.links.map(dataOf), [], 'a link is left');
  assert.deepEqual(play.repeated, [], 'a problem was told twice');
}

const dataOf = (link: unknown): unknown =>
  typeof link === 'object' && link !== null ? JSON.parse(JSON.stringify(link)) : link;

class Play {
  readonly world: World;
  readonly links: Link[] = [];
  readonly problems: string[] = [];
  /** Sentences that came twice in one run. */
  readonly repeated: string[] = [];
  private readonly stage: Stage;
  private readonly named = new Map<string, { asked: Asked; answer: Answer | undefined }>();
  private readonly steps: readonly Step[];
  private configure: Readonly<Record<string, unknown>>;
  private client!: Landfall;
  private lastLink: Link | undefined;
  private starts: { over?: true; link?: Link | null }[] = [];
  private outcome: Promise<{ value?: unknown; error?: unknown }> | undefined;

  constructor(vector: Vector, stage: Stage) {
    this.world = new World(Date.parse(vector.now), vector.device, vector.storage);
    this.configure = vector.configure;
    this.stage = stage;
    this.steps = vector.steps;
  }

  async launch(): Promise<void> {
    const said = new Set<string>();
    const onProblem = (sentence: string) => {
      if (said.has(sentence)) this.repeated.push(sentence);
      said.add(sentence);
      this.problems.push(sentence);
    };
    const options = { ...OPTIONS, ...this.configure, onProblem };
    const make = this.stage.make ?? createClient;
    this.starts = [];
    this.client = make(options as unknown as CoreOptions, this.world.system(), this.world.device);
    this.client.onLink((link) => this.links.push(link));
    await this.world.settle();
  }

  async step(step: Step): Promise<void> {
    const kinds = Object.keys(this.kinds).filter((kind) => kind in step);
    // A request has an answer, too.
    const kind = kinds.includes('request') ? 'request' : kinds[0];
    assert.ok(kind, 'no such step');
    await this.kinds[kind]?.(step[kind] as never, step);
  }

  private readonly kinds: Record<string, (value: never, step: Step) => unknown> = {
    start: ({ initialLink }: { initialLink?: string }) => {
      this.world.initialLink = initialLink;
      const start: Play['starts'][number] = {};
      this.starts.push(start);
      void this.client.start().then((link) => Object.assign(start, { over: true, link }));
    },
    open: (url: string, { ours = true }) => assert.equal(this.client.open(url), ours),
    request: (named: string, step) => this.request(named, step),
    answer: (name: string) => {
      const { asked, answer } = this.pending(name);
      asked.answer(answer as Answer);
    },
    fault: (name: string) => this.pending(name).asked.fail(),
    wait: (ms: number) => {
      this.stage.passes?.(ms);
      return this.world.pass(ms);
    },
    started: (link: unknown) => {
      const start = this.starts.shift();
      assert.ok(start?.over, 'start() has not returned');
      assert.deepEqual(dataOf(start.link), link);
    },
    starting: () => assert.ok(this.starts[0] && !this.starts[0].over, 'start() has returned'),
    link: (link: unknown) => {
      this.lastLink = this.links.shift();
      assert.deepEqual(dataOf(this.lastLink), link);
      assert.equal(this.client.lastLink, this.lastLink);
    },
    handled: () => this.lastLink?.handled(),
    kill: async ({ device, configure, clock = 0 }: { device?: object; configure?: object; clock?: number }) => {
      // A clock that goes back is that of the phone alone.
      this.stage.passes?.(Math.max(clock, 0));
      this.world.kill(clock, device);
      this.configure = { ...this.configure, ...configure };
      await this.launch();
    },
    consent: (on: boolean) => void this.client.consent(on),
    identify: (user: { email: string } | null) => this.client.identify(user),
    register: (token: string, { options }) => void this.client.push.register(token, options as object),
    unregister: () => void this.client.push.unregister(),
    forget: () => void this.client.forget(),
    opened: (data: Step, { returns }) => assert.deepEqual(dataOf(this.client.push.opened(data)), returns),
    resolve: (url: string) => this.keep(this.client.resolve(url)),
    create: (link: { destination: string }) => this.keep(this.client.create(link)),
    diagnose: () => this.keep(this.client.diagnose()),
    returned: async (value: unknown) => assert.deepEqual(await this.settled(), { value }),
    threw: async (expected: object) => {
      const { error } = await this.settled();
      const thrown = error as Record<string, unknown>;
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, thrown?.[key]])), expected);
    },
    findings: async (expected: unknown) => {
      const findings = (await this.settled()).value as Finding[];
      assert.deepEqual(
        findings.map(({ check, passed }) => ({ check, passed })),
        expected,
      );
      for (const { check, passed, detail, fix } of findings) {
        assert.ok(detail, `${check} has no detail`);
        assert.equal(fix === null, passed === true, `the fix of ${check}`);
      }
    },
    stored: (expected: object) => {
      const stored = JSON.parse(this.world.stored ?? '{}');
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(stored[field], value, field);
    },
    problem: (word: string) => {
      const sentence = this.problems.shift();
      assert.ok(sentence?.toLowerCase().includes(word.toLowerCase()), `the problem is ${sentence}`);
    },
  };

  private async request(named: string, step: Step): Promise<void> {
    const asked = this.world.requests.shift();
    assert.ok(asked, 'nothing was asked');
    const { key = true, host = 'api.example', query = {}, body, headers = {} } = step as Record<string, never>;
    assert.equal(`${asked.method} ${asked.path}`, named);
    assert.deepEqual(asked.query, query);
    assert.deepEqual(asked.body, body);
    if (!this.stage.exchange) assert.equal(asked.host, host);
    assert.equal('x-service-sdk-key' in asked.headers, key);
    const client = this.stage.client ?? 'test/1.0.0';
    for (const [name, value] of Object.entries({ ...(headers as object), 'x-landfall-client': client })) {
      assert.equal(asked.headers[name], value, name);
    }
    if (step.fault !== undefined) return asked.fail();
    // A late answer is that of the time of the request.
    const late = this.steps.find(({ answer }) => step.as !== undefined && answer === step.as)?.with;
    const recorded = (step.answer ?? late) as Answer | undefined;
    const answer = recorded && this.stage.exchange ? await this.stage.exchange(asked, recorded) : recorded;
    if (step.as !== undefined) this.named.set(step.as as string, { asked, answer });
    else asked.answer(answer as Answer);
  }

  private pending(name: string): { asked: Asked; answer: Answer | undefined } {
    const pending = this.named.get(name);
    assert.ok(pending, `no request has the name ${name}`);
    return pending;
  }

  private keep(work: Promise<unknown>): void {
    this.outcome = work.then(
      (value) => ({ value: dataOf(value) }),
      (error) => ({ error }),
    );
  }

  private async settled(): Promise<{ value?: unknown; error?: unknown }> {
    const still = this.world.settle().then(() => assert.fail('it has not returned'));
    return Promise.race([this.outcome ?? assert.fail('nothing was called'), still]);
  }
}
