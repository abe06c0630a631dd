// Generates load. Each connection sends a request, waits for the whole response, checks it, and sends the next request.
// The generator is small, because it shares a small machine with the server: a heavier generator would limit the
// measurement. docs/explanation/performance.md has what libraries cost.
import { connect } from 'node:net';

export const CONNECTIONS = 64;

/** One request, and the conditions that its response must meet. */
export interface Ask {
  /** The whole request as sent over the network, ASCII only. */
  request: string;
  status: number;
  /** The text that the head or the body of the response must contain, ASCII only. */
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

/** Milliseconds after the planned end of the load. A response that is still missing then is an error. */
const PATIENCE_MS = 15_000;

/**
 * Generates load and measures it. Rejects when a connection breaks, when a response is not valid HTTP, or when a
 * response does not arrive.
 */
export async function load(server: Server, { asks, warmUp, seconds, connections = CONNECTIONS }: LoadOptions) {
  const start = performance.now() + warmUp * 1000;
  const end = start + seconds * 1000;
  const latencies: number[] = [];
  let wrong = 0;
  let firstWrong: string | undefined;
  let lastAt = start;
  let ownAtStart = process.cpuUsage();
  let cpuSinceStart = watchCpu(server);

  function look(ask: Ask, askedAt: number, answer: string): void {
    const now = performance.now();
    if (!isRight(ask, answer)) {
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

  /** Returns the next request, or undefined when the time is over. */
  const next: Asks = () => (performance.now() < end ? asks() : undefined);
  const ports = server.ports ?? [server.port];
  const stop = new AbortController();
  const late = setTimeout(
    () => stop.abort(new Error('an answer did not come')),
    (warmUp + seconds) * 1000 + PATIENCE_MS,
  );
  try {
    const connected = Array.from({ length: connections }, (_, i) =>
      onConnection(ports[i % ports.length]!, next, look, stop.signal),
    );
    await Promise.all(connected);
  } finally {
    clearTimeout(late);
    stop.abort();
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
export function watchCpu(server: Server) {
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

const isRight = ({ status, contains }: Ask, answer: string): boolean =>
  answer.startsWith(`HTTP/1.1 ${status} `) && answer.includes(contains);

type Look = (ask: Ask, askedAt: number, answer: string) => void;

/** Sends requests on one connection. Resolves when there are no more requests. */
function onConnection(port: number, next: Asks, look: Look, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let ask: Ask | undefined;
    let askedAt = 0;

    function send(): void {
      ask = next();
      if (!ask) {
        resolve();
        socket.destroy();
        return;
      }
      askedAt = performance.now();
      socket.write(ask.request, 'latin1');
    }

    socket.once('connect', send);
    socket.on(
      'data',
      answerReader(
        (answer) => {
          look(ask!, askedAt, answer);
          send();
        },
        (error) => socket.destroy(error),
      ),
    );
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    signal.addEventListener('abort', () => {
      reject(signal.reason);
      socket.destroy();
    });
  });
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

/**
 * Finds the end of each response. Supports only the responses of the servers in this folder: one response at a time, with a
 * Content-Length. Returns a function that takes the chunks of a connection. It passes each complete response
 * to `onAnswer`, with one character for each byte.
 */
function answerReader(onAnswer: (answer: string) => void, onError: (error: Error) => void): (chunk: Buffer) => void {
  let received = '';
  return (chunk) => {
    received += chunk.toString('latin1');
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = LENGTH.exec(received.slice(0, headEnd + 2))?.[1];
    if (length === undefined) return onError(new Error(`an answer without Content-Length: ${received}`));
    const missing = headEnd + HEAD_END.length + Number(length) - received.length;
    if (missing > 0) return;
    if (missing < 0) return onError(new Error(`more came than was asked for: ${received}`));
    const answer = received;
    received = '';
    onAnswer(answer);
  };
}
