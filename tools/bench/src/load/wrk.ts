// Load from wrk, a generator that is not ours. It sends the same requests, and counts answers that are not 2xx or 3xx.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Asks, CONNECTIONS, type LoadOptions, load, type Measured, type Server, watchCpu } from './load.ts';

/** More requests than any server of this benchmark answers in a second. */
const MOST_A_SECOND = 60_000;
/** Bytes of requests. wrk reads all of them before it begins. */
const MOST_BYTES = 256e6;

/** Requests stand one after the other in a file, each ends with a zero byte. They begin again after the last one. */
const SCRIPT = `
local file = assert(io.open(wrk.headers['x-requests'], 'rb'))
local all = file:read('*a')
file:close()
local at = 1
function request()
  local zero = all:find('\\0', at, true)
  local one = all:sub(at, zero - 1)
  at = zero < #all and zero + 1 or 1
  return one
end
`;

/** Does the same as {@link load} with the first gateway only, with the same warm-up. Throws when wrk is not installed or a connection fails. */
export async function wrkLoad(
  server: Server,
  { asks, warmUp, seconds, connections = CONNECTIONS }: LoadOptions,
): Promise<Measured> {
  if (warmUp > 0) await load(server, { asks, warmUp: 0, seconds: warmUp, connections });
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-wrk-'));
  try {
    const requests = path.join(folder, 'requests');
    writeFileSync(requests, taken(asks, Math.ceil(seconds) * MOST_A_SECOND), 'latin1');
    const script = path.join(folder, 'requests.lua');
    writeFileSync(script, SCRIPT);
    const flags = [
      '-t1',
      `-c${connections}`,
      // wrk takes whole seconds only.
      `-d${Math.ceil(seconds)}s`,
      '--latency',
      '-s',
      script,
      '-H',
      `x-requests: ${requests}`,
    ];
    const cpuSinceStart = watchCpu(server);
    const { stdout } = await promisify(execFile)('wrk', [...flags, `http://127.0.0.1:${server.port}/`]);
    const answers = numberIn(stdout, /(\d+) requests in/);
    const cpu = cpuSinceStart(answers);
    if (/Socket errors/.test(stdout)) throw new Error(`wrk had errors: ${stdout}`);
    return {
      answers,
      perSecond: numberIn(stdout, /Requests\/sec:\s+([\d.]+)/),
      p50: millisecondsIn(stdout, /50%\s+([\d.]+)(us|ms|s)/),
      p99: millisecondsIn(stdout, /99%\s+([\d.]+)(us|ms|s)/),
      wrong: /Non-2xx/.test(stdout) ? numberIn(stdout, /Non-2xx or 3xx responses: (\d+)/) : 0,
      firstWrong: undefined,
      ...cpu,
      ownCpu: Number.NaN,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function taken(asks: Asks, most: number): string {
  const requests: string[] = [];
  let bytes = 0;
  for (let ask = asks(); ask && requests.length < most && bytes < MOST_BYTES; ask = asks()) {
    requests.push(ask.request);
    bytes += ask.request.length + 1;
  }
  return requests.map((request) => `${request}\0`).join('');
}

function numberIn(text: string, pattern: RegExp): number {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`wrk said something else: ${text}`);
  return Number(found);
}

function millisecondsIn(text: string, pattern: RegExp): number {
  const [, , unit = ''] = pattern.exec(text) ?? [];
  return numberIn(text, pattern) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}
