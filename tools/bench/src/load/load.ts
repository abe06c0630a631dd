// Generates load with undici. Each connection sends a request, waits for the whole response, checks it, and sends the
// next request. The generator shares a small machine with the server, so it must cost less than the smallest server:
// undici's promises and streams, and autocannon, take about as much for a request as a bare Express server does.
import { Client, type Dispatcher } from 'undici';

export const CONNECTIONS = 64;

/** One request, and the conditions that its response must meet. */
export interface Ask {
  request: Dispatcher.DispatchOptions;
  status: number;
  /** The text that the body of the response must contain, or the place that it redirects to. */
  contains: string;
}

/** Returns the next request, or undefined when there are no more. */
export type Asks = () => Ask | undefined;

export interface Server {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** The ports of all gateways, if there are several. The connections are spread over them. */
  readonly ports?: readonly number[];
  /** Returns the seconds of CPU that the server's process has used. NaN where this is not available. */
  cpuSeconds(): number;
  /** Returns the seconds of CPU of each process, when the server has several processes. */
  cpuByProcess?(): Readonly<Record<string, number>>;
}

export interface LoadOptions {
  asks: Asks;
  /** Seconds of load before the measurement starts. */
  warmUp: number;
  /** Seconds of the measurement. The measurement is shorter when the requests run out. */
  seconds: number;
  /** The number of connections. Default: {@link CONNECTIONS}. */
  connections?: number;
}

export type Measured = Awaited<ReturnType<typeof load>>;

/** Milliseconds until a response, or the rest of it, counts as missing. */
const PATIENCE_MS = 15_000;

/** Generates load and measures it. Rejects when a connection breaks, or when a response does not arrive. */
export async function load(server: Server, { asks, warmUp, seconds, connections = CONNECTIONS }: LoadOptions) {
  const start = performance.now() + warmUp * 1000;
  const end = start + seconds * 1000;
  const latencies: number[] = [];
  let wrong = 0;
  let firstWrong: string | undefined;
  let lastAt = start;
  let ownAtStart = process.cpuUsage();
  let cpuSinceStart = watchCpu(server);

  function note(ask: Ask, askedAt: number, answer: string): void {
    const now = performance.now();
    if (!answer.startsWith(`${ask.status} `) || !answer.includes(ask.contains)) {
      wrong++;
      firstWrong ??= answer;
    }
    if (now < start || now > end) return;
    if (latencies.length === 0) {
      ownAtStart = process.cpuUsage();
      cpuSinceStart = watchCpu(server);
    }
    latencies.push(now - askedAt);
    lastAt = now;
  }

  /** Sends one request after the other on a connection. Resolves when there are no more. */
  function sendOn(client: Client): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let ask: Ask | undefined;
    let askedAt = 0;
    let answer = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, status, { location = '' }) {
        answer = `${status} ${location}\n`;
      },
      onResponseData(_, chunk) {
        answer += chunk.toString('latin1');
      },
      onResponseEnd() {
        note(ask!, askedAt, answer);
        send();
      },
      onResponseError: (_, error) => reject(error),
    };
    send();
    return promise;

    function send(): void {
      ask = performance.now() < end ? asks() : undefined;
      askedAt = performance.now();
      if (ask) client.dispatch(ask.request, handler);
      else resolve();
    }
  }

  const ports = server.ports ?? [server.port];
  const clients = Array.from({ length: connections }, (_, i) => {
    const origin = `http://127.0.0.1:${ports[i % ports.length]}`;
    return new Client(origin, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  });
  try {
    await Promise.all(clients.map(sendOn));
  } finally {
    for (const client of clients) void client.destroy();
  }

  const cpu = cpuSinceStart(latencies.length);
  const { user, system } = process.cpuUsage(ownAtStart);
  const lasted = Math.max(lastAt - start, 1);
  latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    perSecond: (latencies.length / lasted) * 1000,
    /** Milliseconds from the request to the last byte of its response. */
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    /** The number of wrong responses, including the warm-up, and the first of them. */
    wrong,
    firstWrong,
    ...cpu,
    /** The share of one core that the load generator itself used. 1 is a whole core. */
    ownCpu: (user + system) / 1000 / lasted,
  };
}

/** Begins to count the CPU of the server. The returned function gives what was used since then for each answer. */
function watchCpu(server: Server) {
  const before = server.cpuSeconds();
  const eachBefore = server.cpuByProcess?.() ?? {};
  return (answers: number) => {
    const ofEach = (seconds: number) => (seconds / answers) * 1000;
    const each = Object.entries(server.cpuByProcess?.() ?? {});
    return {
      /** Milliseconds of server CPU for one response. NaN where this is not available. */
      cpu: ofEach(server.cpuSeconds() - before),
      /** Milliseconds of CPU for one response in each process, when the server has several processes. */
      cpuOf: Object.fromEntries(each.map(([name, now]) => [name, ofEach(now - (eachBefore[name] ?? 0))])),
    };
  };
}

/** Sends requests for so many seconds, or until there are no more. Throws when a response is wrong. */
export async function sendAll(server: Server, asks: Asks, seconds: number, connections?: number): Promise<void> {
  const { firstWrong } = await load(server, { asks, warmUp: 0, seconds, ...(connections && { connections }) });
  if (firstWrong !== undefined) throw new Error(`not the answer that was expected: ${firstWrong}`);
}
