import type { ServerResponse } from 'node:http';
import { gathered, Reply, type Right } from '@landfall/http';

export interface StreamedEvent {
  /** The position in the stream, which a client sends back as `Last-Event-ID`. */
  readonly id: string;
  readonly name: string;
  readonly data: object;
}

export interface StreamOutput {
  send(events: readonly StreamedEvent[]): void;
  /** Ends the stream. The client connects again. */
  end(): void;
}

/**
 * Returns a reply that stays open. It ends with the right of the caller: checked at once when it may be lost, and with
 * each sign of life.
 * @param open begins it, and returns a function that is called at its end
 */
export const eventStream = (open: (output: StreamOutput) => () => void): Reply =>
  new Reply((res, rightOf) => sendEvents(res, open, rightOf()));

/** Milliseconds between two signs of life. Proxies close a connection that is silent for 30 s or more. */
const ALIVE_MS = 15_000;
/** Bytes that wait for a slow client. One that is slower is cut off, and may come again. */
const MOST_WAITING = 1_000_000;
/** Milliseconds after which a client connects again. */
const RETRY_MS = 2_000;

function sendEvents(res: ServerResponse, open: Parameters<typeof eventStream>[0], right: Right): void {
  Object.assign(gathered(res), {
    'Cache-Control': 'no-store',
    'Content-Type': 'text/event-stream; charset=utf-8',
    // nginx would otherwise keep events until it has a page of them.
    'X-Accel-Buffering': 'no',
  });
  res.writeHead(200);
  write(`retry: ${RETRY_MS}\n\n`);
  const alive = setInterval(() => {
    write(': alive\n\n');
    check();
  }, ALIVE_MS);
  const close = open({
    send: (events) => write(events.map(textOf).join('')),
    end: () => res.end(),
  });
  const unwatch = right.watch(check);
  const closed = () => {
    clearInterval(alive);
    unwatch();
    close();
  };
  if (res.destroyed) closed();
  else res.once('close', closed);
  if (res.req.method === 'HEAD') res.end();
  // The right may have been lost after its first check and before the watch.
  check();

  function check() {
    right.check().catch(() => res.end());
  }

  function write(text: string) {
    // After its end a stream stays until a slow client has read it.
    if (res.writableEnded) return;
    res.write(text);
    if (res.writableLength > MOST_WAITING) res.destroy();
  }
}

const textOf = ({ id, name, data }: StreamedEvent): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
