// The whole product, spoken to over HTTP: in one process, or each service in its own.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Bus } from '@landfall/bus';
import { appsOf, offerSetUp, RulesConfig, storeOwnerToken } from '@landfall/console';
import { type App, AppSettings } from '@landfall/contracts';
import { connect } from '@landfall/db';
import { sha256 } from '@landfall/http';
import { readConfig } from '@landfall/runtime';
import { inject } from 'vitest';
import type { z } from 'zod';
import { freshIp } from '../addresses.ts';
import type { Clock } from '../clock.ts';
import { testLogger } from '../logger.ts';
import { type Received, type Sent, send } from './http.ts';
import { groundInProcess } from './in-process.ts';
import { OPEN, PUBLIC_URL } from './settings.ts';

/** User agents of people on phones. */
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
/** The user agent of the public SDK. */
export const SDK = 'openlynk-flutter-sdk/0.1.0';

export interface TestApp {
  app: App;
  key: string;
}

export interface System {
  /** The port of a gateway; the first of several, to which requests go in turn. */
  port: number;
  /** The port of the console. In one process it is the same. */
  consolePort: number;
  clock: Clock;
  ownerToken: string;
  databaseUrl: string;
  /** Makes a code good for setting the instance up, as a start does. */
  offerSetUp(): Promise<string>;
  /** Sends a request. `ip` is the client's address. */
  send(sent: Sent & { ip?: string }): Promise<Received>;
  /** As the public SDK does: with the app's key, from the address. */
  sdk(app: TestApp, sent: Sent & { ip?: string }): Promise<Received>;
  manage(sent: Sent): Promise<Received>;
  /** Taps a link's URL. */
  tap(
    url: string,
    from?: { ip?: string; userAgent?: string; method?: string; headers?: Record<string, string> },
  ): Promise<Received>;
  /** An app that had no users before, where the settings do not say otherwise. `id`: for settings that name an app. */
  makeApp(settings?: z.input<typeof AppSettings>, linksPerMonth?: number, id?: string): Promise<TestApp>;
  /** Makes a link through the API and gives its `link` object. */
  makeLink(app: TestApp, destination?: string, metadata?: object): Promise<{ id: string; slug: string; url: string }>;
  /** Sends a public event, as a service does. */
  tell: Bus['tell'];
  /** Says what lies in no topic and no log in clear, though no request has said it: what it is, and the text. */
  keepsSecret(what: string, text: string): void;
  /** Resolves when everything that was told has been taken in. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** On the processes of `over-kafka/` where the project of the run says so, else in this process. */
export async function startSystem(env: Record<string, string> = {}): Promise<System> {
  const ground = await (inject('over') === 'kafka' ? groundOverKafka(env) : groundInProcess(env));
  const { bus, clock, databaseUrl, port, consolePort, settled } = ground;
  const database = connect({ url: databaseUrl, max: 2 });
  const apps = appsOf({
    database,
    bus,
    log: testLogger(),
    rules: readConfig(RulesConfig, { ...OPEN, ...env }),
    now: () => new Date(clock()),
  });
  const ownerToken = `lf_${randomBytes(16).toString('hex')}`;
  await storeOwnerToken(database, ownerToken, new Date(clock()));

  const sendFrom: System['send'] = ({ ip = freshIp(), ...given }) => {
    const sent = { ...given, headers: { host: 'api.test', 'x-forwarded-for': ip, ...given.headers } };
    ground.sending(sent);
    return send(ground.portFor(sent), sent);
  };

  const system: System = {
    port,
    consolePort,
    clock,
    ownerToken,
    databaseUrl,
    async offerSetUp() {
      const code = randomBytes(32).toString('base64url');
      const made = { plaintext: code, hash: sha256(code) };
      await offerSetUp(database, { publicUrl: PUBLIC_URL, hasPages: true }, { code: made, now: new Date(clock()) });
      return code;
    },
    send: sendFrom,
    sdk: (app, sent) =>
      sendFrom({
        ...sent,
        headers: { 'x-openlynk-sdk-key': app.key, 'user-agent': SDK, ...sent.headers },
      }),
    manage: (sent) => sendFrom({ ...sent, headers: { authorization: `Bearer ${ownerToken}`, ...sent.headers } }),
    tap(url, { ip = freshIp(), userAgent = ANDROID, method = 'GET', headers = {} } = {}) {
      const { host, pathname, search } = new URL(url);
      return sendFrom({ method, path: pathname + search, ip, headers: { host, 'user-agent': userAgent, ...headers } });
    },
    async makeApp(settings = {}, linksPerMonth, id = randomUUID()) {
      const key = `ol_${randomBytes(16).toString('hex')}`;
      const app = await apps.make({
        id,
        name: 'Test app',
        subdomain: `t${randomUUID().slice(0, 8)}`,
        settings: AppSettings.parse({ ...settings, matching: { existingUsers: false, ...settings.matching } }),
      });
      await apps.giveKey(app.id, { plaintext: key, label: 'test' });
      const plan = linksPerMonth === undefined ? null : { name: 'limited', linksPerMonth };
      return { app: plan ? await apps.setPlan(app.id, plan) : app, key };
    },
    async makeLink(app, destination = '/welcome', metadata = {}) {
      const body = { destination, metadata };
      const made = await system.sdk(app, { method: 'POST', path: '/api/links/create-sdk', body });
      if (made.status !== 200) throw new Error(`${made.status} ${made.text}`);
      return made.json.link;
    },
    tell: (...told) => bus.tell(...told),
    keepsSecret: ground.said,
    settled,
    async stop() {
      await database.close();
      await ground.stop();
    },
  };
  return system;
}

/** Loaded only where it is wanted: it brings every service along. */
const groundOverKafka = async (env: Record<string, string>) =>
  (await import('../over-kafka/ground-over-kafka.ts')).groundOverKafka(env);
