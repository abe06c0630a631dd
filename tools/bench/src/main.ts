// `npm run bench`: runs one scenario after the other. Each scenario runs between two runs of hello, because the load of
// a machine always varies.

import { CONNECTIONS, load } from './load/load.ts';
import { pushLoad } from './load/push-load.ts';
import { wrkLoad } from './load/wrk.ts';
import { help, type Options, readOptions } from './options.ts';
import { fillPendingLinks } from './pending-links.ts';
import { type Product, startProduct } from './product/product.ts';
import { makeSite, type Site } from './product/site.ts';
import { startStackProduct } from './product/stack-product.ts';
import { type Hello, startHello } from './product/start-hello.ts';
import { cpuRow, heading, isGood, isSmall, memoryRow, notes, type Result, row } from './report.ts';
import { creates, type Scenario, scenarios, stackScenarios } from './scenarios.ts';
import { compare } from './side-by-side.ts';

/** Seconds of warm-up before each measurement. */
const WARM_UP = 2;
const HELLO_WARM_UP = 0.5;
/**
 * Seconds of link creation before the first measurement over Kafka. Before that, the broker's compiler is still busy.
 */
const BROKER_WARM_UP = 45;
/** The length of a hello run, as a share of the seconds of a scenario's measurement. */
const HELLO_SHARE = 0.6;
/** The stack options for `--push --stack`. */
const PUSHING = { watched: 'push-1', processes: { push: 2 } };

const started: { stop(): Promise<void> }[] = [];
let stopped: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(1)));
}
try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!stopped) console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await stop();
}

/** Registers a part that starts. From now on, `stop` waits for the part to start and then stops it. */
function begin<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  started.push({ stop: async () => (await starting.catch(() => undefined))?.stop() });
  return starting;
}

/** Stops all parts once, in reverse order. */
function stop(): Promise<void> {
  stopped ??= (async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  })();
  return stopped;
}

async function main(options: Options): Promise<number> {
  if (options.help) {
    console.log(help);
    return 0;
  }
  if (options.push) {
    const { profile } = options;
    return pushLoad((settings) => {
      const given = { env: process.env, profile, settings };
      return begin(options.stack ? startStackProduct(given, PUSHING) : startProduct(given));
    }, options);
  }
  const chosen = choose(options.stack ? stackScenarios() : scenarios(options.pending), options.only);
  if (options.against !== undefined) {
    const start = (checkout: string | undefined) => startSite(options, checkout);
    return compare({ against: options.against, scenarios: chosen, rounds: options.rounds, start });
  }
  const hello = await begin(startHello());
  const site = await startSite(options);
  const { product } = site;
  await load(hello, { asks: hello.asks, warmUp: 0, seconds: WARM_UP });

  console.log(heading());
  const prepare = preparing(product, site);
  const results: Result[] = [];
  for (const scenario of chosen) {
    await prepare(scenario);
    const result = await measure(scenario, site, hello, options);
    console.log(row(result));
    console.log(cpuRow(result));
    results.push(result);
  }
  const memory = prepare.memory();
  console.log([memoryRow(memory), '', ...notes(results)].join('\n'));
  return results.every(isGood) && isSmall(memory) ? 0 : 1;
}

/** Starts the product of a checkout with an app and its links, and warms up its broker. */
async function startSite({ profile, stack, processes }: Options, checkout?: string): Promise<Site> {
  const given = { env: process.env, profile, checkout };
  const product = await begin(stack ? startStackProduct(given, { lasting: true, processes }) : startProduct(given));
  const site = await makeSite(product);
  if (stack) await load(product, { asks: creates(site), warmUp: 0, seconds: BROKER_WARM_UP });
  return site;
}

function choose(all: readonly Scenario[], only: readonly string[]): readonly Scenario[] {
  const isMeant = (name: string) => (scenario: Scenario) =>
    scenario.name === name || scenario.name.startsWith(`${name}-`);
  const unknown = only.find((name) => !all.some(isMeant(name)));
  if (unknown !== undefined) {
    throw new Error(`There is no scenario ${unknown}; there are ${all.map(({ name }) => name).join(', ')}.`);
  }
  return only.length === 0 ? all : all.filter((scenario) => only.some((name) => isMeant(name)(scenario)));
}

/** Returns a function that sets up the starting state of a scenario, where it does not exist yet. */
function preparing(product: Product, site: Site) {
  let settings: Scenario['settings'];
  let pending: Scenario['pending'];
  let most = 0;
  const memory = () => (most = Math.max(most, product.memory()));

  async function prepare(scenario: Scenario): Promise<void> {
    if (scenario.settings !== settings) {
      memory();
      settings = scenario.settings;
      await product.restart(settings ?? {});
    }
    if (scenario.pending && scenario.pending !== pending) {
      pending = scenario.pending;
      await fillPendingLinks(site, pending);
    }
  }
  return Object.assign(prepare, { memory });
}

async function measure(scenario: Scenario, site: Site, hello: Hello, { seconds, wrk }: Options): Promise<Result> {
  const generate = wrk ? wrkLoad : load;
  const sayHello = () => generate(hello, { asks: hello.asks, warmUp: HELLO_WARM_UP, seconds: seconds * HELLO_SHARE });
  const asks = await scenario.asks(site, WARM_UP + seconds);
  const before = await sayHello();
  const { connections = CONNECTIONS } = scenario;
  const measured = await generate(site.product, { asks, warmUp: WARM_UP, seconds, connections });
  const ended = performance.now();
  await scenario.stored?.(site);
  const storedMs = scenario.stored && performance.now() - ended;
  const after = await sayHello();
  return { scenario, measured, storedMs, hello: [before, after] };
}
