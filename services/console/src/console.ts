// The console: the management API, the web app and the documents of the API. People and their programs use it.
import { ApiError, type HttpParts, handlersOf, hostOf, type Part, serveGet, serveRoutes } from '@landfall/http';
import { callerUses, whoCalls } from './access/principal.ts';
import { checkDueAlerts } from './alerts/check-alerts.ts';
import { getFile } from './association/get-file.ts';
import { monitors, startMonitor } from './association/monitor.ts';
import type { Outbox } from './changes/outbox.ts';
import { deliverDue } from './channels/deliver.ts';
import { serveUnsubscribe } from './channels/recipients.ts';
import { repeat } from './common/repeat.ts';
import { LOOK_MS, verifyWaiting } from './domains/verify-waiting.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { llmsPage } from './openapi/llms.ts';
import { openapi } from './openapi/openapi.ts';
import { docsPage, limitedTo, serveDocument } from './openapi/serve-documents.ts';
import { createParts, type PartsOptions } from './parts.ts';
import { makeDueReports } from './reports/make-reports.ts';
import { manageRoutes, routeGroups } from './routes/index.ts';
import { manageKind } from './routing/serve-manage.ts';
import { framedBy } from './shares/framed-by.ts';
import { serveWebApp, type WebApp } from './web-app/serve-web-app.ts';

export function createConsole(http: HttpParts, options: PartsOptions & { webApp?: WebApp | undefined }): Part {
  const parts = createParts(http, options);
  const { account, bus, config, cookies, hosts, live, log, lookups, mailer, now, outbox, streams } = parts;
  const { serving } = http;
  const known = { lookups, cookies, now, demoTeam: config.DEMO_TEAM };
  const { WEB_APP_DIR: folder } = config;
  const webApp = options.webApp ?? (folder === undefined ? null : { find: () => ({ state: 'built', folder }) });
  const limited = limitedTo('documents', serving.limits, serving.addressOf);
  let monitor: ReturnType<typeof startMonitor> | undefined;
  let sending: ReturnType<Outbox['start']> | undefined;
  let repeated: ReturnType<typeof repeat>[] = [];

  return {
    mount(app) {
      // A page on an app's host must not act as one of ours. `/livez` and `/readyz` answer under every name.
      app.use((req, _res, next) =>
        next(hosts.isApi(hostOf(req)) || OF_HEALTH.has(req.path) ? undefined : new ApiError('NOT_FOUND')),
      );
      const calls = whoCalls({ ...known, used: callerUses(bus, account, log, now) });
      const kind = manageKind({ parts, serving, whoCalls: calls, whoStillCalls: whoCalls(known) });
      serveRoutes(app, handlersOf(manageRoutes, kind, serving));
      if (config.MCP === 'on') serveMcp(app, { parts, serving, whoCalls: calls });
      serveUnsubscribe(app, parts, serving.limits, serving.addressOf);
      if (webApp) {
        app.get('/embed/:shareId', limitedTo('share', serving.limits, serving.addressOf));
        app.use(serveWebApp(webApp, config.PUBLIC_URL, framedBy(parts)));
      }
      serveGet(app, '/', (_req, res) => res.redirect(302, '/docs'));
      const api = () => openapi(routeGroups, config.PUBLIC_URL, cookies.sessionName);
      serveGet(app, '/openapi.json', limited, serveDocument(api));
      // It is rare, and what it needs of Kafka's adapter takes memory.
      const topics = async () => (await import('./openapi/asyncapi.ts')).asyncapi();
      serveGet(app, '/asyncapi.json', limited, serveDocument(topics));
      serveGet(app, '/llms.txt', limited, llmsPage(config.PUBLIC_URL, config.MCP === 'on'));
      serveGet(app, '/docs', limited, docsPage);
    },
    started() {
      sending = outbox.start();
      repeated = [
        repeat((signal) => makeDueReports(parts, signal), { restMs: REST_MS, log, failed: 'reports were not made' }),
        repeat((signal) => checkDueAlerts(parts, signal), { restMs: REST_MS, log, failed: 'alerts were not checked' }),
        repeat((signal) => deliverDue(parts, signal), { restMs: REST_MS, log, failed: 'messages were not sent' }),
        repeat((signal) => verifyWaiting(parts, signal), { restMs: LOOK_MS, log, failed: 'domains were not checked' }),
      ];
      if (monitors(config)) monitor = startMonitor({ ...parts, checked: parts.associationChecked, get: getFile });
    },
    async closing() {
      streams.stop();
      live.stop();
      await Promise.all([monitor?.stop(), ...repeated.map((one) => one.stop())]);
    },
    async stop() {
      await mailer?.stop();
      await sending?.stop();
    },
  };
}

/** Milliseconds from one look for due reports, alerts and messages to the next. */
const REST_MS = 2_000;

const OF_HEALTH: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);
