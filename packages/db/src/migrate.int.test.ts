import { describe, expect, it } from 'vitest';
import { eachDatabase } from './fixture.testing.ts';
import { applyMigrations, type Migration, migrationState, readMigrations } from './migrate.ts';
import { schemaDiff } from './tools/schema-diff.ts';

const made = eachDatabase(2);

const real = readMigrations();
const migration = (name: string, sql: string, checksum = name): Migration => ({ name, sql, checksum });
const later = migration('29990101000000_later', 'create table later (id int)');

async function empty(): Promise<void> {
  await made.database.rows('drop schema public, account, link, attribution, push, analytics, bus cascade');
  await made.database.rows('create schema public');
}

describe('applyMigrations', () => {
  it('brings an empty database up to date, and then has nothing to do', async () => {
    await empty();
    expect(await applyMigrations(made.url)).toEqual(real.map(({ name }) => name));
    expect(await applyMigrations(made.url)).toEqual([]);
    expect(await made.database.prisma.link.count()).toBe(0);
  });

  it('applies each once, whoever starts at the same time', async () => {
    await empty();
    const applied = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(made.url)));
    expect(applied.flat().sort()).toEqual(real.map(({ name }) => name));
  });

  it('applies only what is missing', async () => {
    expect(await applyMigrations(made.url, [...real, later])).toEqual([later.name]);
  });

  it('refuses a migration that was changed after it was applied', async () => {
    const changed = real.map((one) => ({ ...one, checksum: 'another' }));
    await expect(applyMigrations(made.url, [...changed, later])).rejects.toThrow(
      `The migration ${real[0]!.name} was changed after it was applied`,
    );
    expect(await made.database.rows(`select to_regclass('later') as later`)).toEqual([{ later: null }]);
  });

  it('runs on the tables of a later version', async () => {
    await applyMigrations(made.url, [...real, later]);
    expect(await applyMigrations(made.url)).toEqual([]);
  });

  it('refuses a database of another branch: an unknown migration among ours, or before one of ours', async () => {
    const sentence = (name: string) => `The database has the migration ${name}, which this version does not know`;
    const early = migration('20000101000000_early', 'create table early (id int)');
    await applyMigrations(made.url, [...real, later]);
    const ours = migration('29990101000000_before', 'create table before (id int)');
    await expect(applyMigrations(made.url, [...real, ours])).rejects.toThrow(sentence(later.name));
    expect(await made.database.rows(`select to_regclass('before') as before`)).toEqual([{ before: null }]);
    await applyMigrations(made.url, [early, ...real, later]);
    await expect(applyMigrations(made.url)).rejects.toThrow(sentence(early.name));
  });

  it('refuses a migration that another tool did not end', async () => {
    await made.database.rows('update _prisma_migrations set finished_at = null');
    await expect(applyMigrations(made.url)).rejects.toThrow(`The migration ${real[0]!.name} was begun by another tool`);
  });

  it('keeps nothing of one that fails, keeps those before it, and names it', async () => {
    const broken = migration('29990102000000_broken', 'create table half (id int); select 1 / 0');
    await expect(applyMigrations(made.url, [...real, later, broken])).rejects.toThrow(
      'The migration 29990102000000_broken failed, and nothing of it was kept: division by zero',
    );
    const unrecorded = migration(
      '29990103000000_unrecorded',
      'create table half (id int)',
      'too long a checksum'.repeat(4),
    );
    await expect(applyMigrations(made.url, [...real, later, unrecorded])).rejects.toThrow(
      'nothing of it was kept: value too long',
    );
    expect(await made.database.rows(`select to_regclass('later')::text as later, to_regclass('half') as half`)).toEqual(
      [{ later: 'later', half: null }],
    );
    expect(await applyMigrations(made.url, [...real, later])).toEqual([]);
  });
});

describe('migrationState', () => {
  const stateOf = (migrations: readonly Migration[]) => migrationState(made.database, migrations);

  it('says what is missing, also of everything, and changes nothing', async () => {
    expect(await migrationState(made.database)).toEqual({ missing: [], later: [] });
    expect(await stateOf([...real, later])).toEqual({ missing: [later.name], later: [] });
    await empty();
    expect((await migrationState(made.database)).missing).toEqual(real.map(({ name }) => name));
    expect(await made.database.rows(`select to_regclass('_prisma_migrations') as made`)).toEqual([{ made: null }]);
  });

  it('says what a later version has, and why this one does not start', async () => {
    await applyMigrations(made.url, [...real, later]);
    expect(await stateOf(real)).toEqual({ missing: [], later: [later.name] });
    const changed = real.map((one) => ({ ...one, checksum: 'another' }));
    expect(await stateOf(changed)).toMatchObject({
      fault: expect.stringContaining('was changed after it was applied'),
    });
  });
});

describe('the migrations', () => {
  it('give the new defaults of matching to apps that never changed them', async () => {
    const at = real.findIndex(({ name }) => name.endsWith('_matching_windows'));
    await empty();
    await applyMigrations(made.url, real.slice(0, at));
    const windows = [
      [30, 60],
      [30, 120],
      [0, 60],
    ];
    await made.database.rows(
      `insert into account.apps (id, name, subdomain, settings, plan, version, created_at)
       select gen_random_uuid(), 'App', 'app-' || n, json_build_object('matching', json_build_object(
         'windowMinutes', w::int, 'personMinutes', p::int, 'crowdTaps', 50), 'timeZone', 'UTC'), 'self-hosted', 1, now()
       from unnest($1::int[], $2::int[]) with ordinality as a(w, p, n)`,
      [windows.map(([w]) => w), windows.map(([, p]) => p)],
    );
    await applyMigrations(made.url);
    const rows = await made.database.rows<{ settings: unknown }>(
      'select settings from account.apps order by subdomain',
    );
    expect(rows.map(({ settings }) => settings)).toEqual(
      [
        { windowMinutes: 60, personMinutes: 90, newcomerMinutes: 25 },
        ...windows.slice(1).map(([windowMinutes, personMinutes]) => ({ windowMinutes, personMinutes })),
      ].map((changed) => ({
        matching: { ...changed, crowdTaps: 50 },
        timeZone: 'UTC',
      })),
    );
  });

  it('cover the schema', async () => {
    expect(await schemaDiff(made.url)).toBeUndefined();
  });

  // The comparison does not look at the conditions of partial indexes.
  it('make the partial indexes with their conditions', async () => {
    const rows = await made.database.rows<{ name: string; condition: string }>(
      `select c.relname as name, pg_get_expr(i.indpred, i.indrelid) as condition
       from pg_index i join pg_class c on c.oid = i.indexrelid where i.indpred is not null order by 1`,
    );
    expect(Object.fromEntries(rows.map(({ name, condition }) => [name, condition]))).toEqual({
      changes_of_app: '(team_id IS NOT NULL)',
      changes_of_person: '((team_id IS NOT NULL) AND (actor_user_id IS NOT NULL))',
      changes_of_team: '(team_id IS NOT NULL)',
      channel_messages_due: "(state = 'waiting'::text)",
      deliveries_astray: "(state = ANY (ARRAY['failed'::text, 'unknown'::text]))",
      deliveries_not_sent: "(state = ANY (ARRAY['failed'::text, 'unknown'::text]))",
      deliveries_queued: "(state = 'queued'::text)",
      deliveries_untold: 'untold',
      devices_dropped_of_person: '((dropped_at IS NOT NULL) AND (email IS NOT NULL))',
      devices_left_by_person: '(email_before IS NOT NULL)',
      devices_live: '(dropped_at IS NULL)',
      devices_of_person: '((dropped_at IS NULL) AND (email IS NOT NULL))',
      edits_of_app: '(team_id IS NOT NULL)',
      edits_of_person: '((team_id IS NOT NULL) AND (actor_user_id IS NOT NULL))',
      edits_of_team: '(team_id IS NOT NULL)',
      installs_link: '(link_id IS NOT NULL)',
      links_archived: '(archived_at IS NOT NULL)',
      links_expiring: '(expires_at IS NOT NULL)',
      links_managed: 'managed',
      links_search: 'managed',
      notifications_due: '((expanded_at IS NULL) AND (cancelled_at IS NULL))',
      notifications_stopping: 'stopping',
      pending_links_closed_address:
        '((closed_by IS NOT NULL) AND (address IS NOT NULL) AND (email IS NULL) AND (fingerprint IS NULL))',
      pending_links_closed_by: '(closed_by IS NOT NULL)',
      pending_links_open_address:
        '((closed_by IS NULL) AND (address IS NOT NULL) AND (email IS NULL) AND (fingerprint IS NULL))',
      pending_links_open_email: '((closed_by IS NULL) AND (email IS NOT NULL))',
      pending_links_open_fingerprint: '((closed_by IS NULL) AND (fingerprint IS NOT NULL))',
      pending_links_taps: "(kind = 'tap'::text)",
      restores_by_device: '(device IS NOT NULL)',
      restores_by_link: '(link_ids IS NOT NULL)',
      restores_by_request: '(request_id IS NOT NULL)',
      restores_by_user: '(email IS NOT NULL)',
      restores_decided: "((code IS NULL) OR (code <> 'untapped'::text))",
      restores_given: '((match_type IS NOT NULL) AND (repeats IS NULL))',
      restores_of_device: '((device IS NOT NULL) AND (match_type IS NOT NULL) AND (repeats IS NULL))',
      restores_repeats: '(repeats IS NOT NULL)',
    });
  });
});
