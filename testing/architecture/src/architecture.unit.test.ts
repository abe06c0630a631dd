// Checks the source against the architecture rules, and checks each rule against an example that breaks it.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesIn, readHouse, roomOf, root } from './house.ts';
import { breaches, crowdedFolders, environmentReaders, foreignTables, rules, schemasOfModels } from './rules.ts';

const house = readHouse();
const prisma = globSync('prisma/*.prisma', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));
const schemas = schemasOfModels(prisma);

describe('the house', () => {
  it('has rooms, and arrows between packages', () => {
    expect(house.length).toBeGreaterThan(500);
    const gateway = house.find(({ file }) => file === 'packages/http/src/app.ts')!;
    expect(gateway.imports).toContainEqual({ from: 'express', typeOnly: false });
    expect(gateway.imports.map(({ from }) => from)).toContain('packages/runtime/src/index.ts');
  });

  it.each(rules.map((rule) => [rule.says, rule] as const))('%s', (_, rule) => {
    expect(breaches(rule, house)).toEqual([]);
    const [file, line] = rule.brokenBy;
    expect(breaches(rule, [roomOf(file, line)])).toHaveLength(1);
  });

  it('has no two files that import each other, around however many corners', () => {
    expect(cyclesIn(house)).toEqual([]);
    const circle = [
      roomOf('a/one.ts', "import { two } from './two.ts';"),
      roomOf('a/two.ts', "import type { Three } from '../b/three.ts';"),
      roomOf('b/three.ts', "export { one } from '../a/one.ts';"),
      roomOf('b/four.ts', "import { one } from '../a/one.ts';"),
    ];
    expect(cyclesIn(circle)).toEqual([['a/one.ts', 'a/two.ts', 'b/three.ts']]);
  });

  it('has no two parts that import each other', () => {
    const partOf = (file: string) => file.split('/').slice(0, 2).join('/');
    const isTest = (file: string) => /\.test\.ts$|\.testing\.ts$/.test(file);
    const parts = Map.groupBy(
      house.filter(({ file }) => !isTest(file)),
      ({ file }) => partOf(file),
    );
    const arrows = [...parts].map(([file, rooms]) => ({
      file,
      source: '',
      imports: rooms
        .flatMap(({ imports }) => imports.map(({ from, typeOnly }) => ({ from: partOf(from), typeOnly })))
        .filter(({ from }) => from !== file),
    }));
    expect(cyclesIn(arrows)).toEqual([]);
  });

  it('has no folder that is too full', () => {
    expect(crowdedFolders(house.map(({ file }) => file))).toEqual([]);
    const many = Array.from({ length: 13 }, (_, i) => `services/link/src/queue/${i}.ts`);
    expect(crowdedFolders(many)).toEqual(['services/link/src/queue: 13 files']);
  });

  it('reads the environment in config.ts files, and where a program or a test run starts', () => {
    expect(environmentReaders(house)).toEqual([]);
    const reader = roomOf('services/link/src/new.ts', 'const port = process.env.PORT;');
    expect(environmentReaders([reader])).toEqual(['services/link/src/new.ts']);
  });

  it('touches in each service only its own tables, in SQL and through the Prisma client', () => {
    expect(schemas.get('pendingLink')).toBe('attribution');
    expect(foreignTables(house, schemas)).toEqual([]);
    const file = 'services/push/src/new-repository.ts';
    const find = (source: string) => foreignTables([roomOf(file, source)], schemas);
    expect(find('await sql.rows(`select 1 from account.users`)')).toHaveLength(1);
    expect(find('await database.prisma.link.findMany({ where })')).toHaveLength(1);
    expect(find('await tx.pendingLink.deleteMany({})')).toHaveLength(1);
    expect(find('await tx.notification.count({})')).toEqual([]);
  });
});
