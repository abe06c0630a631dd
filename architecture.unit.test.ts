// Who may import whom, as one table. A new wall stands here first.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Rule {
  /** What the rule says, for whoever breaks it. */
  says: string;
  /** The files it is about. */
  files: (file: string) => boolean;
  /** Whether such a file may have the import. `from` is a bare name, or a path from the repository's root. */
  allows: (from: string, file: string, typeOnly: boolean) => boolean;
  /** Types may come from anywhere: they do nothing. */
  valuesOnly?: true;
}

const isTest = (file: string) =>
  /\.(unit|int|e2e|kafka|docker)\.test\.ts$/.test(file) || file.includes('/conformance/') || file.includes('/e2e/');
const inFolder = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
const serviceOf = (file: string) => /^services\/([^/]+)\//.exec(file)?.[1];
const isExample = inFolder('examples');
const ours = (from: string) => from.startsWith('@landfall/');
const product = (file: string) => !isTest(file) && !file.startsWith('packages/testkit/');
/** Only these files may import the library. */
const homeOf = (says: string, library: RegExp, home: (file: string) => boolean): Rule => ({
  says,
  files: (file) => product(file) && !home(file),
  allows: (from) => !library.test(from),
});

const rules: Rule[] = [
  {
    says: 'contracts imports zod only',
    files: (file) => product(file) && inFolder('packages/contracts')(file),
    allows: (from) => from === 'zod' || inFolder('packages/contracts')(from),
  },
  ...['bus', 'db', 'runtime'].map((name) => ({
    says: `packages/${name} knows contracts and no other package of ours${name === 'runtime' ? ', but for types of the bus, which it observes' : ''}`,
    files: (file: string) => product(file) && inFolder(`packages/${name}`)(file),
    allows: (from: string, _file: string, typeOnly: boolean) =>
      from === '@landfall/contracts' ||
      (name === 'runtime' && from === '@landfall/bus' && typeOnly) ||
      !(
        ours(from) ||
        (from.includes('/') && /^(packages|services)\//.test(from) && !inFolder(`packages/${name}`)(from))
      ),
  })),
  {
    says: 'packages/worker, which makes processes of services, knows bus, db and runtime',
    files: (file) => product(file) && inFolder('packages/worker')(file),
    allows: (from) => !ours(from) || /^@landfall\/(bus|bus\/kafka|db|runtime)$/.test(from),
  },
  {
    says: 'packages/local knows no package of ours, and only the stack and tests start its servers',
    files: product,
    allows: (from, file) =>
      inFolder('packages/local')(file)
        ? !ours(from)
        : from !== '@landfall/local' || inFolder('services/stack')(file) || inFolder('bench')(file),
  },
  {
    says: 'services never import each other: what they share is in contracts (standalone and stack compose them)',
    files: (file) =>
      product(file) && file.startsWith('services/') && !['standalone', 'stack'].includes(serviceOf(file) ?? ''),
    allows: (from, file) =>
      !/^@landfall\/(account|link|attribution|gateway|push|analytics|standalone|stack|cli|local|testkit)(\/|$)/.test(
        from,
      ) &&
      (!/^(services|packages)\//.test(from) || serviceOf(from) === serviceOf(file)),
  },
  {
    says: 'an example knows nothing of ours: people copy it',
    files: (file) => product(file) && isExample(file),
    allows: (from, file) => !ours(from) && (!from.includes('/') || inFolder(path.posix.dirname(file))(from)),
  },
  {
    says: 'only tests import testkit, and the measurement of pushes its fakes',
    files: product,
    allows: (from, file) =>
      !/^@landfall\/testkit(\/|$)/.test(from) || (file.startsWith('bench/') && from === '@landfall/testkit/push'),
  },
  {
    says: 'a domain is made of pure functions: it imports types, and its own files',
    files: (file) => product(file) && file.includes('/domain/'),
    allows: (from) => from.includes('/domain/'),
    valuesOnly: true,
  },
  {
    says: 'handlers do not know each other, nor the service',
    files: (file) => product(file) && file.includes('/handlers/'),
    allows: (from) => !from.endsWith('/service.ts') && !from.endsWith('/main.ts'),
  },
  homeOf(
    'express lives in the gateway',
    /^(express|swagger-ui-express)$/,
    (file) => file.startsWith('services/gateway/') || file.startsWith('bench/'),
  ),
  homeOf(
    'limits live in the gateway, and doctor looks at their Redis',
    /^(rate-limiter-flexible|ioredis)$/,
    (file) => file.startsWith('services/gateway/src/limits/') || file === 'services/cli/src/doctor/redis-facts.ts',
  ),
  homeOf(
    'kafkajs lives in the Kafka adapter',
    /^kafkajs$/,
    (file) => file.startsWith('packages/bus/src/kafka') || isExample(file),
  ),
  homeOf('metrics live in the runtime', /^prom-client$/, inFolder('packages/runtime')),
  homeOf(
    'OpenTelemetry lives in one file, which is loaded only when traces are on',
    /^@opentelemetry\//,
    (file) => file === 'packages/runtime/src/spans.ts',
  ),
  {
    ...homeOf(
      'Google and Apple are spoken to by the providers of push',
      /^(firebase-admin|google-auth-library|@parse\/node-apn)(\/|$)/,
      inFolder('services/push/src/providers'),
    ),
    valuesOnly: true,
  },
  homeOf(
    'PostgreSQL is spoken to by db',
    /^(pg|@prisma\/)/,
    (file) => file.startsWith('packages/db/') || file.startsWith('bench/') || isExample(file),
  ),
  {
    ...homeOf('tables are touched by repositories', /^@landfall\/db$/, (file) =>
      /-repository\.ts$|\/retention\.ts$|^services\/cli\/src\/migrate\.ts$|^packages\/worker\/|^services\/(standalone|stack)\/|^bench\//.test(
        file,
      ),
    ),
    valuesOnly: true,
  },
];

const files = globSync(['{packages,services,examples}/*/src/**/*.ts', 'services/*/e2e/**/*.ts', 'bench/src/**/*.ts'], {
  exclude: ['**/generated/**', '**/node_modules/**'],
});

interface Import {
  from: string;
  typeOnly: boolean;
}

/** What a file imports; relative paths as paths from the root. */
function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/^(?:import|export)\s+(?:(type)\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm);
  const dynamic = source.matchAll(/\b()import\(\s*['"]([^'"]+)['"]/g);
  return [...statements, ...dynamic].map(([, type, from = '']) => ({
    from: from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : from,
    typeOnly: type === 'type',
  }));
}

describe('the house', () => {
  it('has rooms', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(importsOf('services/gateway/src/gateway.ts')).toContainEqual({ from: 'express', typeOnly: false });
  });

  it.each(rules.map((rule) => [rule.says, rule] as const))('%s', (_, rule) => {
    const broken = files.filter(rule.files).flatMap((file) =>
      importsOf(file)
        .filter(
          ({ from, typeOnly }) =>
            !from.startsWith('node:') && !(rule.valuesOnly && typeOnly) && !rule.allows(from, file, typeOnly),
        )
        .map(({ from }) => `${file} imports ${from}`),
    );
    expect(broken).toEqual([]);
  });

  it('reads the environment in config.ts files, and where a program or a test run starts', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')));
    const allowed =
      /\/config\.ts$|\/main\.ts$|packages\/testkit\/|\/e2e\/|\.test\.ts$|packages\/db\/src\/(processes|embedded[\w-]*|tools\/[\w-]+)\.ts$/;
    expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('touches in each repository only its own schema', () => {
    const foreign = files
      .filter((file) => file.startsWith('services/') && product(file))
      .flatMap((file) => {
        const own = serviceOf(file);
        const source = readFileSync(file, 'utf8');
        const schemas = [
          ...source.matchAll(/\b(?:from|into|update|join)\s+(account|link|attribution|push|analytics|bus)\.\w+/gi),
        ];
        return schemas.filter(([, schema]) => schema !== own).map(([text]) => `${file}: ${text}`);
      });
    expect(foreign).toEqual([]);
  });
});
