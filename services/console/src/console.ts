// The console: the management API, the web app and the documents of the API. People and their programs use it.
import type { Bus, DeadLetterBox, GroupState } from '@landfall/bus';
import type { Database } from '@landfall/db';
import {
  ApiError,
  createHosts,
  type HttpParts,
  hostOf,
  orRefuse,
  type Part,
  serveGet,
  serveRoutes,
} from '@landfall/http';
import type { MetricDefinition } from '@landfall/runtime';
import { createCookies } from './access/cookies.ts';
import { callerUses, whoCalls } from './access/principal.ts';
import { accountRepository } from './account-repository.ts';
import { createAppChecks } from './association/app-checks.ts';
import { getFile } from './association/get-file.ts';
import { monitors, startMonitor } from './association/monitor.ts';
import { createChange } from './changes/change.ts';
import { createOutbox, type Outbox } from './changes/outbox.ts';
import { type ConsoleConfig, DEFAULT_RULES, type Rules } from './config.ts';
import { createLiveFeeds } from './live/live-feeds.ts';
import { createStreams } from './live/streams.ts';
import { createLookups } from './lookups/lookups.ts';
import { CALLBACK } from './oidc/oidc.ts';
import { createProvider } from './oidc/provider.ts';
import { oidcOf } from './oidc/settings.ts';
import { openapi } from './openapi/openapi.ts';
import { docsPage, limitDocuments, serveDocument } from './openapi/serve-documents.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import { manageRoutes, routeGroups } from './routes/index.ts';
import type { ConsoleParts } from './routing/route.ts';
import { manageKind } from './routing/serve-manage.ts';
import { createSignInGate } from './sessions/sign-in-gate.ts';
import { serveWebApp, type WebApp } from './web-app/serve-web-app.ts';

/** The metrics of the console, except those that every HTTP server has. */
export const consoleMetricTable = {
  associationChecks: {
    name: 'landfall_association_checks_total',
    type: 'counter',
    labels: ['result'],
    help: 'Checks of the association files of an app by their result: ok, or failed when phones do not get a file.',
  },
} as const satisfies Record<string, MetricDefinition>;

export interface ConsoleOptions {
  config: ConsoleConfig;
  bus: Bus;
  database: Database;
  /** The default rules if missing. */
  rules?: Rules | undefined;
  /** The result of {@link createPasswords} if missing. */
  passwords?: Passwords | undefined;
  deadLetters: DeadLetterBox;
  /** Returns the state of every consumer group. */
  groups: () => Promise<GroupState[]>;
  /** The web app. Defaults to the files in WEB_APP_DIR. */
  webApp?: WebApp | undefined;
}

export function createConsole(http: HttpParts, options: ConsoleOptions): Part {
  const { config, bus, database, rules = DEFAULT_RULES, passwords = createPasswords() } = options;
  const { hashes, log, metrics, now, sealer, serving, work } = http;
  const account = accountRepository(database);
  const lookups = createLookups(bus, account);
  const outbox = createOutbox(database, bus, log, lookups.seen);
  const hosts = createHosts(config);
  const cookies = createCookies(config.PUBLIC_URL);
  const live = createLiveFeeds({ bus, log, now });
  const streams = createStreams();
  const oidc = oidcOf(config);
  const checked = metrics.count(consoleMetricTable.associationChecks);
  const parts: ConsoleParts = {
    bus,
    forward: async (to, input, options) => orRefuse(await bus.ask(to, input, options)),
    account,
    change: createChange(outbox),
    telling: outbox.telling,
    rules,
    passwords,
    lookups,
    hashes,
    hosts,
    sealer,
    cookies,
    provider: oidc ? createProvider(oidc, config.PUBLIC_URL + CALLBACK) : null,
    signIns: createSignInGate(),
    work,
    config,
    log,
    associationChecked: (failing) => checked(failing ? 'failed' : 'ok'),
    checks: createAppChecks(now),
    live,
    deadLetters: options.deadLetters,
    groups: options.groups,
    streams,
    now,
  };
  const known = { lookups, cookies, now, demoTeam: config.DEMO_TEAM };
  const { WEB_APP_DIR: folder } = config;
  const webApp = options.webApp ?? (folder === undefined ? null : { find: () => ({ state: 'built', folder }) });
  const limited = limitDocuments(serving.limits, serving.addressOf);
  let monitor: ReturnType<typeof startMonitor> | undefined;
  let sending: ReturnType<Outbox['start']> | undefined;

  return {
    mount(app) {
      // A page on an app's host must not act as one of ours. `/livez` and `/readyz` answer under every name.
      app.use((req, _res, next) =>
        next(hosts.isApi(hostOf(req)) || OF_HEALTH.has(req.path) ? undefined : new ApiError('NOT_FOUND')),
      );
      const kind = manageKind({
        parts,
        serving,
        whoCalls: whoCalls({ ...known, used: callerUses(bus, log, now) }),
        whoStillCalls: whoCalls(known),
      });
      serveRoutes(app, manageRoutes, kind, serving);
      if (webApp) app.use(serveWebApp(webApp, config.PUBLIC_URL));
      serveGet(app, '/', (_req, res) => res.redirect(302, '/docs'));
      const api = () => openapi(routeGroups, config.PUBLIC_URL, cookies.sessionName);
      serveGet(app, '/openapi.json', limited, serveDocument(api));
      // It is rare, and what it needs of Kafka's adapter takes memory.
      const topics = async () => (await import('./openapi/asyncapi.ts')).asyncapi();
      serveGet(app, '/asyncapi.json', limited, serveDocument(topics));
      serveGet(app, '/docs', limited, docsPage);
    },
    started() {
      sending = outbox.start();
      if (monitors(config)) monitor = startMonitor({ ...parts, checked: parts.associationChecked, get: getFile });
    },
    closing() {
      streams.stop();
      live.stop();
      return monitor?.stop();
    },
    stop: () => sending?.stop(),
  };
}

const OF_HEALTH: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);
