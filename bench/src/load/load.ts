// Load: connections that each ask, wait for the whole answer, look at it, and ask again. It is as lean as that, because
// it shares a small machine with the server: a heavier generator would be what is measured.
import { connect } from 'node:net';
import { answerReader } from './answer-reader.ts';

export const CONNECTIONS = 64;

/** One request, and how its answer is known to be right. */
export interface Ask {
  /** The whole request as it goes over the wire, ASCII only. */
  request: string;
  status: number;
  /** The text that the answer's head or body must hold, ASCII only. */
  contains: string;
}

/** The next request; undefined when there are no more. */
export type Asks = () => Ask | undefined;

export interface Server {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The ports of all gateways, if there are several. The connections are spread over them. */
  readonly ports?: readonly number[];
  /** Seconds of CPU that its process has used; NaN where that is not known. */
  cpuSeconds(): number;
  /** The same of each of several. */
  cpuByProcess?(): Readonly<Record<string, number>>;
}

export interface LoadOptions {
  asks: Asks;
  /** Seconds of load that do not count. */
  warmUp: number;
  /** Seconds that count. Fewer when the requests come to an end before. */
  seconds: number;
  /** The number of connections, {@link CONNECTIONS} when left out. */
  connections?: number;
}

export interface Measured {
  answers: number;
  perSecond: number;
  /** Milliseconds from the request to the last byte of its answer. */
  p50: number;
  p99: number;
  /** Answers that were not as they must be, warm-up included, and the first of them. */
  wrong: number;
  firstWrong: string | undefined;
  /** Milliseconds of CPU that the server used for an answer; NaN where that is not known. */
  cpu: number;
  /** The same by process, where the server has several. */
  cpuOf: Readonly<Record<string, number>>;
  /** The share of one core that the generator itself took; 1 is all of it. */
  ownCpu: number;
}

/** An answer that takes longer than this, in milliseconds, is not waited for. */
const PATIENCE_MS = 15_000;

/** Rejects when a connection breaks, when an answer is no HTTP or when none comes. */
export async function load(
  server: Server,
  { asks, warmUp, seconds, connections = CONNECTIONS }: LoadOptions,
): Promise<Measured> {
  const start = performance.now() + warmUp * 1000;
  const end = start + seconds * 1000;
  const latencies: number[] = [];
  let wrong = 0;
  let firstWrong: string | undefined;
  let lastAt = start;
  let ownAtStart = process.cpuUsage();
  let serverAtStart = server.cpuSeconds();
  let eachAtStart = server.cpuByProcess?.() ?? {};

  function look(ask: Ask, askedAt: number, answer: string): void {
    const now = performance.now();
    if (!isRight(ask, answer)) {
      wrong++;
      firstWrong ??= answer;
    }
    if (now < start || now > end) return;
    if (latencies.length === 0) {
      ownAtStart = process.cpuUsage();
      serverAtStart = server.cpuSeconds();
      eachAtStart = server.cpuByProcess?.() ?? {};
    }
    latencies.push(now - askedAt);
    lastAt = now;
  }

  /** The request to send; undefined when it is time to stop. */
  const next: Asks = () => (performance.now() < end ? asks() : undefined);
  await onConnections(connections, server.ports ?? [server.port], next, look, (warmUp + seconds) * 1000 + PATIENCE_MS);

  const serverUsed = server.cpuSeconds() - serverAtStart;
  const eachUsed = Object.entries(server.cpuByProcess?.() ?? {}).map(
    ([name, used]) => [name, ((used - (eachAtStart[name] ?? 0)) / latencies.length) * 1000] as const,
  );
  const { user, system } = process.cpuUsage(ownAtStart);
  const lasted = Math.max(lastAt - start, 1);
  latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    perSecond: (latencies.length / lasted) * 1000,
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    wrong,
    firstWrong,
    cpu: (serverUsed / latencies.length) * 1000,
    cpuOf: Object.fromEntries(eachUsed),
    ownCpu: (user + system) / 1000 / lasted,
  };
}

/** Asks once. Throws when the answer is not as it must be. */
export async function askOnce(port: number, ask: Ask): Promise<void> {
  const asks = [ask];
  let wrong: string | undefined;
  const look: Look = (_, _askedAt, answer) => {
    if (!isRight(ask, answer)) wrong = answer;
  };
  await onConnections(1, [port], () => asks.pop(), look, PATIENCE_MS);
  if (wrong !== undefined) throw new Error(`not the answer that was expected: ${wrong}`);
}

const isRight = ({ status, contains }: Ask, answer: string): boolean =>
  answer.startsWith(`HTTP/1.1 ${status} `) && answer.includes(contains);

type Look = (ask: Ask, askedAt: number, answer: string) => void;

async function onConnections(
  count: number,
  ports: readonly number[],
  next: Asks,
  look: Look,
  withinMs: number,
): Promise<void> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new Error('an answer did not come')), withinMs);
  try {
    await Promise.all(
      Array.from({ length: count }, (_, i) => onConnection(ports[i % ports.length]!, next, look, stop.signal)),
    );
  } finally {
    clearTimeout(late);
    stop.abort();
  }
}

/** Resolves when there is nothing more to ask. */
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
