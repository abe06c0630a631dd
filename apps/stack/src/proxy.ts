// One address for the whole stack: a proxy in front of the gateways and the consoles, as every installation has one. The
// proxies of docker-compose.yml and of the chart send the same requests to the console.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createHosts, HttpConfig } from '@landfall/http';

/** Paths of the API's own host that gateways serve. `//api/…` counts as `/api/…`, as it does there. */
const OF_GATEWAYS =
  /^\/+(?:api(?!\/+(?:manage|share|push\/+send)(?:\/|$))|logos|\.well-known|robots\.txt|livez|readyz|metrics)(?:\/|$)/i;

/** True when the console answers a request. All others are for the gateways. */
type IsForConsole = (path: string, host: string | undefined) => boolean;

/** @param env the variables of the services */
export function isForConsole(env: NodeJS.ProcessEnv): IsForConsole {
  const { PUBLIC_URL = '', LINK_DOMAIN = '', IPV6_HOST } = env;
  const API_HOSTS = HttpConfig.shape.API_HOSTS.parse(env.API_HOSTS);
  const hosts = createHosts({ PUBLIC_URL, LINK_DOMAIN, API_HOSTS, IPV6_HOST });
  return (path, host) => (!host || hosts.isApi(host)) && !OF_GATEWAYS.test(pathOf(path));
}

/** Returns the path of a request without its query, also when the request names a whole URL. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');

interface ProxyOptions {
  port: number;
  isForConsole: IsForConsole;
  gateways: readonly number[];
  consoles: readonly number[];
}

export type StackProxy = Awaited<ReturnType<typeof startProxy>>;

const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Resolves when the proxy accepts connections. Sends requests in turn to the processes that it is given. */
export async function startProxy({ port, isForConsole, gateways, consoles }: ProxyOptions) {
  // A connection for each request: over one that is kept, a request may meet a process that is just ending.
  const agent = new Agent();
  let turn = 0;
  const server = createServer((req, res) => {
    const ports = isForConsole(req.url ?? '/', req.headers.host) ? consoles : gateways;
    passOn(req, res, agent, ports, turn++);
  });
  // The processes behind it limit the time of a request. An export or a live stream takes long.
  server.requestTimeout = 0;
  server.listen(port);
  await once(server, 'listening');
  const closed = once(server, 'close');
  return {
    /** Accepts no more connections. Open requests go on. */
    close: () => void server.close(),
    async stop() {
      if (server.listening) server.close();
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}

/** Sends a request to one of the ports. Tries the next one while connections are refused. */
function passOn(req: IncomingMessage, res: ServerResponse, agent: Agent, ports: readonly number[], turn: number): void {
  let left = ports.length;
  attempt(turn);

  function attempt(at: number): void {
    const onward = request({
      host: '127.0.0.1',
      port: ports[at % ports.length],
      agent,
      method: req.method,
      path: req.url,
      headers: headersFor(req),
    });
    onward.once('socket', (socket) => {
      // The body is read when there is somebody who takes it.
      socket.once('connect', () => req.pipe(onward));
    });
    onward.once('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.statusMessage, withoutConnection(answer.rawHeaders));
      answer.pipe(res);
      answer.once('error', () => res.destroy());
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (res.headersSent || res.destroyed) return void res.destroy();
      if (error.code === 'ECONNREFUSED' && --left > 0) return attempt(at + 1);
      sendAway(res, error.code === 'ECONNREFUSED');
    });
    res.once('close', () => onward.destroy());
  }
}

/** Returns the headers of a request, with the address of the client as the last one in X-Forwarded-For. */
function headersFor(req: IncomingMessage): string[] {
  const named = req.headers['x-forwarded-for'];
  const client = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const kept = pairs(req.rawHeaders).filter(([name]) => name.toLowerCase() !== 'x-forwarded-for');
  const sent = kept.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()) || name.toLowerCase() === TRANSFER);
  return [...sent.flat(), 'X-Forwarded-For', named === undefined ? client : `${named}, ${client}`];
}

/** The request is written again, and Node frames it as this header says. */
const TRANSFER = 'transfer-encoding';

const withoutConnection = (raw: readonly string[]): string[] =>
  pairs(raw)
    .filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()))
    .flat();

const pairs = (raw: readonly string[]): [name: string, value: string][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as [string, string]] : []));

/** Answers in the words of a gateway: nothing was done, or nobody knows. */
function sendAway(res: ServerResponse, nothingDone: boolean): void {
  const body = nothingDone
    ? { error: 'The service is busy and nothing was done. Repeat the request.', code: 'BUSY' }
    : { error: 'No answer came in time. It is unknown whether the request was executed.', code: 'NO_ANSWER' };
  res.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' });
  res.end(JSON.stringify(body));
}
