// Serves chDB, the engine of ClickHouse as a library, over the part of ClickHouse's HTTP interface that @clickhouse/client uses.
// A process of its own: a process may have one session of chDB. Usage: node chdb-server.ts FOLDER_OF_CHDB FOLDER_OF_DATA
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

interface Session {
  query(sql: string, format: string): string;
}

const [library, data] = process.argv.slice(2) as [string, string];
const { Session } = createRequire(path.join(library, 'package.json'))('chdb') as {
  Session: new (folder: string) => Session;
};
const session = new Session(data);

/** Parameters of a request that are no settings. */
const NO_SETTING = /^(query|query_id|session_\w+|default_format|wait_end_of_query|database|role|param_.*)$/;

const quoted = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`;
const run = (sql: string) => session.query(sql, 'TabSeparated');

async function answer(request: IncomingMessage): Promise<string> {
  const { searchParams } = new URL(request.url!, 'http://localhost');
  const body = await text(request);
  const statement = [searchParams.get('query'), body].filter(Boolean).join('\n');
  const settings = [...searchParams].filter(([name]) => !NO_SETTING.test(name));
  run(`use ${searchParams.get('database') ?? 'default'}`);
  for (const [name, value] of searchParams) if (name.startsWith('param_')) run(`set ${name} = ${quoted(value)}`);
  for (const [name, value] of settings) run(`set ${name} = ${quoted(value)}`);
  try {
    return run(statement);
  } finally {
    // The session is one for all requests.
    for (const [name] of settings) run(`set ${name} = default`);
  }
}

const server = createServer(async (request, response) => {
  try {
    response.end(await answer(request));
  } catch (error) {
    const message = (error as Error).message.replace(/^.*?(?=Code: \d+)/s, '');
    response.statusCode = 500;
    response.setHeader('X-ClickHouse-Exception-Code', /^Code: (\d+)/.exec(message)?.[1] ?? '1002');
    response.end(`${message}\n`);
  }
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
