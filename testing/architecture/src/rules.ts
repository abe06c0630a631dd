// The table of allowed imports. To add a boundary, add an entry here. Each rule has an example that breaks it, and a
// test checks that the rule finds the example. A rule that nothing can break has no value.
import path from 'node:path';
import type { Room } from './house.ts';

export interface Rule {
  /** The rule in words, for the person who breaks it. */
  readonly says: string;
  /** Returns whether the rule applies to the file. */
  readonly files: (file: string) => boolean;
  /**
   * Returns whether a file that the rule applies to may have the import. `from` is a bare name, or a path from the
   * root.
   */
  readonly allows: (from: string, file: string, typeOnly: boolean) => boolean;
  /** The rule allows all type imports, because types have no effect at run time. */
  readonly valuesOnly?: true;
  /** A file, and a line in it that breaks the rule. */
  readonly brokenBy: readonly [file: string, line: string];
}

const inFolder = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
const ownPart = (file: string) => file.split('/').slice(0, 2).join('/');
const isOurs = (from: string) => /^(packages|services|apps|tools|testing|examples|clients)\//.test(from);

/** Returns whether the file is a test or is imported only by tests. */
export const isForTests = (file: string): boolean =>
  /\.test\.ts$|\.testing\.ts$/.test(file) || file.includes('/conformance/') || inFolder('testing')(file);
const isProduct = (file: string) => !isForTests(file);

/** The layers from bottom to top: no layer imports a layer above it. */
const LAYERS = ['packages', 'services', 'apps', 'tools', 'testing'] as const;
const layerOf = (file: string) => LAYERS.findIndex((layer) => inFolder(layer)(file));

/** Returns a rule that only these files may import the library. */
const homeOf = (says: string, library: RegExp, home: (file: string) => boolean, brokenBy: Rule['brokenBy']): Rule => ({
  says,
  files: (file) => isProduct(file) && !home(file),
  allows: (from) => !library.test(from),
  brokenBy,
});

/** Returns a rule that a package in `packages/` imports only these other packages of ours. */
const knows = (name: string, others: readonly string[], types: readonly string[] = []): Rule => ({
  says: `packages/${name} knows ${[...others, ...types.map((type) => `types of ${type}`)].join(', ') || 'no other package'}`,
  files: (file) => isProduct(file) && inFolder(`packages/${name}`)(file),
  allows: (from, file, typeOnly) =>
    !isOurs(from) ||
    ownPart(from) === ownPart(file) ||
    others.some((other) => inFolder(`packages/${other}`)(from)) ||
    (typeOnly && types.some((other) => inFolder(`packages/${other}`)(from))),
  brokenBy: [`packages/${name}/src/new.ts`, "import { gateway } from '../../../services/gateway/src/index.ts';"],
});

export const rules: readonly Rule[] = [
  {
    says: 'nothing imports what is above it: packages, services, apps, tools, testing',
    files: (file) => isProduct(file) && layerOf(file) >= 0,
    allows: (from, file) =>
      layerOf(from) <= layerOf(file) || (inFolder('tools/bench')(file) && inFolder('testing/testkit/src/push')(from)),
    brokenBy: ['services/link/src/new.ts', "import { landfall } from '../../../apps/standalone/src/landfall.ts';"],
  },
  {
    says: 'no shipped code imports testing/, and the measurement of pushes imports its fakes',
    files: isProduct,
    allows: (from, file) =>
      !inFolder('testing')(from) || (inFolder('tools/bench')(file) && inFolder('testing/testkit/src/push')(from)),
    brokenBy: ['tools/cli/src/new.ts', "import { startSystem } from '../../../testing/testkit/src/index.ts';"],
  },
  {
    says: 'no shipped code imports a file for tests',
    files: isProduct,
    allows: (from, file) => !isForTests(from) || inFolder('tools/bench')(file),
    brokenBy: ['services/push/src/new.ts', "import { aPush } from './values.testing.ts';"],
  },
  {
    says: 'contracts imports zod only',
    files: (file) => isProduct(file) && inFolder('packages/contracts')(file),
    allows: (from) => from === 'zod' || inFolder('packages/contracts')(from),
    brokenBy: ['packages/contracts/src/new.ts', "import express from 'express';"],
  },
  knows('bus', ['contracts']),
  knows('db', ['contracts']),
  knows('runtime', ['contracts'], ['bus']),
  knows('worker', ['bus', 'db', 'runtime']),
  knows('http', ['api-client', 'bus', 'contracts', 'runtime']),
  knows('local', []),
  knows('api-client', []),
  {
    says: 'the web app is a client: it knows the client of the API, and nothing else of ours',
    files: (file) => isProduct(file) && inFolder('apps/dashboard/src')(file),
    allows: (from) => !isOurs(from) || inFolder('apps/dashboard')(from) || inFolder('packages/api-client')(from),
    brokenBy: [
      'apps/dashboard/src/parts/new.tsx',
      "import { Link } from '../../../../packages/contracts/src/index.ts';",
    ],
  },
  {
    says: 'only the stack, the bench and tests start servers of this machine',
    files: isProduct,
    allows: (from, file) =>
      !inFolder('packages/local')(from) ||
      ['packages/local', 'apps/stack', 'tools/bench'].some((folder) => inFolder(folder)(file)),
    brokenBy: ['tools/cli/src/new.ts', "import { startRedis } from '../../../packages/local/src/index.ts';"],
  },
  {
    says: 'services never import each other, but the console shows what the gateway does: what they share is in contracts',
    files: inFolder('services'),
    allows: (from, file) =>
      !inFolder('services')(from) ||
      ownPart(from) === ownPart(file) ||
      (inFolder('services/console')(file) && from === 'services/gateway/src/index.ts'),
    brokenBy: ['services/push/src/new.ts', "import { hashes } from '../../gateway/src/hashes.ts';"],
  },
  {
    says: 'an example knows nothing of ours but a client, by its name: people copy it',
    files: (file) => isProduct(file) && inFolder('examples')(file),
    allows: (from, file) =>
      !isOurs(from) ||
      inFolder(path.posix.dirname(file))(from) ||
      /^clients\/javascript\/[\w-]+\/src\/index\.ts$/.test(from),
    brokenBy: ['examples/reader/src/new.ts', "import { bus } from '../../../packages/bus/src/index.ts';"],
  },
  {
    says: 'clients are programs of other people: they know each other, and nothing else of ours',
    files: (file) => isProduct(file) && inFolder('clients')(file),
    allows: (from) => !isOurs(from) || inFolder('clients')(from),
    brokenBy: [
      'clients/javascript/client/src/new.ts',
      "import { Link } from '../../../../packages/contracts/src/index.ts';",
    ],
  },
  {
    says: 'nothing of the product is made of a client',
    files: (file) => isProduct(file) && layerOf(file) >= 0 && !inFolder('tools')(file),
    allows: (from) => !inFolder('clients')(from),
    brokenBy: [
      'services/gateway/src/new.ts',
      "import { configure } from '../../../clients/javascript/client/src/index.ts';",
    ],
  },
  {
    says: 'a domain is made of pure functions: it imports types, and its own files',
    files: (file) => isProduct(file) && file.includes('/domain/'),
    allows: (from) => from.includes('/domain/'),
    valuesOnly: true,
    brokenBy: ['services/link/src/domain/new.ts', "import { connect } from '@landfall/db';"],
  },
  {
    says: 'handlers do not know each other, nor the service',
    files: (file) => isProduct(file) && file.includes('/handlers/'),
    allows: (from) =>
      !from.includes('/handlers/') && !/\/(service|main|worker|index)\.ts$/.test(from.replace(/^packages.*/, '')),
    brokenBy: ['services/link/src/handlers/new.ts', "import { editLink } from './edit-link.ts';"],
  },
  homeOf(
    'express lives in the gateway and the console',
    /^express$/,
    (file) =>
      ['packages/http', 'services/gateway', 'services/console', 'tools/bench'].some((folder) => inFolder(folder)(file)),
    ['services/link/src/new.ts', "import express from 'express';"],
  ),
  homeOf(
    'Redis is connected to by the HTTP server, and doctor looks at it',
    /^ioredis$/,
    (file) => inFolder('packages/http/src/redis')(file) || file === 'tools/cli/src/doctor/facts/redis-facts.ts',
    ['services/gateway/src/routes/new.ts', "import { Redis } from 'ioredis';"],
  ),
  homeOf('limits live in the HTTP server', /^rate-limiter-flexible$/, inFolder('packages/http/src/limits'), [
    'services/gateway/src/routes/new.ts',
    "import { RateLimiterRedis } from 'rate-limiter-flexible';",
  ]),
  homeOf(
    'kafkajs lives in the Kafka adapter',
    /^kafkajs$/,
    (file) => inFolder('packages/bus/src/kafka')(file) || inFolder('examples')(file),
    ['services/link/src/new.ts', "import { Kafka } from 'kafkajs';"],
  ),
  homeOf('ClickHouse is spoken to by analytics', /^@clickhouse\//, inFolder('services/analytics/src/clickhouse'), [
    'services/analytics/src/handlers/new.ts',
    "import { createClient } from '@clickhouse/client';",
  ]),
  homeOf('metrics live in the runtime', /^prom-client$/, inFolder('packages/runtime'), [
    'services/link/src/new.ts',
    "import { Counter } from 'prom-client';",
  ]),
  homeOf(
    'OpenTelemetry lives in one file, which is loaded only when traces are on',
    /^@opentelemetry\//,
    (file) => file === 'packages/runtime/src/tracing/spans.ts',
    ['packages/runtime/src/tracing/tracing.ts', "import { trace } from '@opentelemetry/api';"],
  ),
  homeOf(
    'the library of MCP lives in one file, which is loaded with the first message',
    /^@modelcontextprotocol\//,
    (file) => file === 'services/console/src/mcp/answer-message.ts',
    ['services/console/src/mcp/serve-mcp.ts', "import { Server } from '@modelcontextprotocol/sdk/server/index.js';"],
  ),
  {
    ...homeOf(
      'Google and Apple are spoken to by the providers of push',
      /^(firebase-admin|google-auth-library|@parse\/node-apn)(\/|$)/,
      inFolder('services/push/src/providers'),
      ['services/push/src/delivery/new.ts', "import { getMessaging } from 'firebase-admin/messaging';"],
    ),
    valuesOnly: true,
  },
  homeOf(
    'PostgreSQL is spoken to by db',
    /^(pg|@prisma\/)/,
    (file) => ['packages/db', 'tools/bench', 'examples'].some((folder) => inFolder(folder)(file)),
    ['services/link/src/new.ts', "import { Pool } from 'pg';"],
  ),
  {
    ...homeOf(
      'tables are touched by repositories',
      /^packages\/db\//,
      (file) =>
        /-repository\.ts$|\/retention\.ts$/.test(file) ||
        file === 'tools/cli/src/migrate.ts' ||
        file === 'services/console/src/common/database-away.ts' ||
        ['tools/cli/src/backup', 'packages/db', 'packages/worker', 'apps/standalone', 'apps/stack', 'tools/bench'].some(
          (folder) => inFolder(folder)(file),
        ),
      ['services/link/src/handlers/new.ts', "import { connect } from '../../../../packages/db/src/index.ts';"],
    ),
    valuesOnly: true,
  },
];

/** Returns the breaches of a rule, one line for each. */
export const breaches = (rule: Rule, rooms: readonly Room[]): string[] =>
  rooms
    .filter(({ file }) => rule.files(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(
          ({ from, typeOnly }) =>
            !from.startsWith('node:') && !(rule.valuesOnly && typeOnly) && !rule.allows(from, file, typeOnly),
        )
        .map(({ from }) => `${file} imports ${from}`),
    );

/** Returns the files that read the environment, except files that are allowed to read it. */
export function environmentReaders(rooms: readonly Room[]): string[] {
  const allowed =
    /\/config\.ts$|\/main\.ts$|^testing\/|\.test\.ts$|^packages\/local\/src\/system-env\.ts$|^packages\/db\/src\/(embedded\/(processes|embedded[\w-]*)|tools\/[\w-]+)\.ts$/;
  return rooms
    .filter(({ file, source }) => /process\.env\b/.test(source) && !allowed.test(file))
    .map(({ file }) => file);
}

/** Maps each model of the Prisma client to its schema (`token` → `account`), read from the text of the schema files. */
export function schemasOfModels(prisma: readonly string[]): Map<string, string> {
  const models = prisma.flatMap((text) => [...text.matchAll(/^model (\w+) \{[^}]*?@@schema\("(\w+)"\)/gm)]);
  return new Map(models.map(([, model, schema]) => [model![0]!.toLowerCase() + model!.slice(1), schema!]));
}

/** Services whose schema has another name than they. */
const SCHEMA_OF: Readonly<Record<string, string>> = { console: 'account' };

/** Finds services that read or write the tables of another service, in SQL or through the Prisma client. */
export function foreignTables(rooms: readonly Room[], schemas: ReadonlyMap<string, string>): string[] {
  const inSql = new RegExp(
    `\\b(?:from|into|update|join)\\s+(${[...new Set(schemas.values())].join('|')})\\.\\w+`,
    'gi',
  );
  const inClient =
    /\.(\w+)\s*\.\s*(?:find(?:Many|First|Unique)(?:OrThrow)?|create(?:Many)?(?:AndReturn)?|update(?:Many)?(?:AndReturn)?|upsert|delete(?:Many)?|count|aggregate|groupBy)\s*\(/g;
  return rooms
    .filter(({ file }) => inFolder('services')(file) && isProduct(file))
    .flatMap(({ file, source }) => {
      const own = SCHEMA_OF[file.split('/')[1]!] ?? file.split('/')[1];
      const sql = [...source.matchAll(inSql)].filter(([, schema]) => schema !== own);
      const client = [...source.matchAll(inClient)].filter(([, model]) => (schemas.get(model!) ?? own) !== own);
      return [...sql, ...client].map(([text]) => `${file}: ${text}`);
    });
}

/**
 * The maximum number of files in a folder. More files make it hard to find something. Folders that are lists by nature
 * (`MAY_BE_LONG`) may hold more.
 */
export const MOST_FILES = 12;
const MAY_BE_LONG = /\/(handlers|examples|languages)$|\/routes(\/|$)/;

/** Returns folders with too many files. Tests stand beside the code that they test, and do not count. */
export function crowdedFolders(files: readonly string[]): string[] {
  const folders = Map.groupBy(
    files.filter((file) => !/\.test\.ts$|\.testing\.ts$/.test(file)),
    (file) => path.posix.dirname(file),
  );
  return [...folders]
    .filter(([folder, inside]) => inside.length > MOST_FILES && !MAY_BE_LONG.test(folder))
    .map(([folder, inside]) => `${folder}: ${inside.length} files`);
}
