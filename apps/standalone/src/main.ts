// The program of `npm start`: runs everything in one process and needs no setup.
import path from 'node:path';
import * as people from '@landfall/console';
import { startEmbedded } from '@landfall/db';
import { gatewayConfig } from '@landfall/gateway';
import {
  calmAtStop,
  capOldMemory,
  createLogger,
  type Running,
  run,
  StartError,
  startInOrder,
  startTracing,
  unlessStopping,
} from '@landfall/runtime';
import { assertUsable } from '@landfall/worker';
import { assertFree } from './assert-free.ts';
import { standaloneConfig } from './config.ts';
import {
  folderError,
  keptFile,
  madeSecret,
  randomHex,
  takeFolder,
  tellWhileRunning,
  wasComplete,
  wasInstalled,
} from './data-folder.ts';
import { demoIds, ensureDemo } from './demo.ts';
import { startLandfall } from './landfall.ts';
import { phoneAccess, type Reach, startArguments } from './phone/phone-access.ts';
import { buildInBackground } from './web-app.ts';
import { welcome } from './welcome.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

capOldMemory(30);

await run(() => startInOrder(start));

/** Starts the program. Adds each part that must be stopped to `started`, in order of start. */
async function start(started: Running[]): Promise<void> {
  const reach = startArguments(process.argv.slice(2));
  const config = standaloneConfig();
  const folder = path.resolve(config.LANDFALL_DATA);
  started.push(takeFolder(folder));

  const complete = wasComplete(folder);
  const hash = madeSecret(process.env, 'HASH_SECRET', folder, 'hash-secret');
  const seal = madeSecret(process.env, 'SEAL_SECRET', folder, 'seal-secret');
  const settings = {
    SIMULATED_APP: demoIds(folder).appId,
    ...ownMachine(reach),
    ...process.env,
    ...hash.env,
    ...seal.env,
  };
  const { PORT: port } = gatewayConfig(settings);
  const firstOwner = people.initOwnerOf(config);
  await assertFree(port);
  const access = await phoneAccess(reach, { port, env: process.env, authtoken: config.NGROK_AUTHTOKEN });
  if (access.tunnel) started.push(access.tunnel);
  const gateway = gatewayConfig({ ...settings, ...access.env });
  const consoleSettings = people.consoleConfig({ ...settings, ...access.env });
  const log = calmAtStop(createLogger({ service: 'landfall', level: config.LOG_LEVEL }));
  const tracing = await startTracing({ service: 'landfall', messaging: 'in_process', env: process.env, log });
  started.push({ stop: () => tracing.shutdown() });

  const webApp = consoleSettings.WEB_APP_DIR === undefined ? buildInBackground(log) : undefined;
  if (webApp) started.push(webApp);
  const databaseUrl = config.DATABASE_URL ?? (await ownDatabase(folder, started));
  const { empty } = await assertUsable(databaseUrl);
  if (empty && complete)
    throw lostData(folder, config.DATABASE_URL === undefined ? 'its database' : 'the database of DATABASE_URL');
  for (const { keep } of [hash, seal]) keep();
  const landfall = await startLandfall({
    databaseUrl,
    gateway,
    console: consoleSettings,
    webApp,
    log,
    tracing,
    firstOwner,
    rules: config,
    push: config,
    keep: config,
  });
  started.push(landfall, tellWhileRunning(folder, 'port', `${landfall.port}`));

  const ownerToken = keptFile(folder, 'owner-token', () => `lf_${randomHex(16)}`);
  await people.storeOwnerToken(landfall.database, ownerToken, new Date(), 'owner token of the first start');
  const { bus, database } = landfall;
  const demo = await ensureDemo({ database, bus, log, rules: config }, folder);
  const { PUBLIC_URL: publicUrl, LINK_DOMAIN: linkDomain, SIMULATED_APP_HOST: phoneHost } = gateway;
  const setUp = await people.offerSetUp(landfall.database, { publicUrl, hasPages: true });
  const colours = process.stderr.isTTY && !process.env.NO_COLOR;
  say(
    welcome({ publicUrl, linkDomain, folder: config.LANDFALL_DATA, demo, setUp, phone: { host: phoneHost, colours } }),
  );
}

/**
 * A person who only tries Landfall needs it on their own machine, and not in the network of a café. With a PUBLIC_URL
 * there are clients or a proxy elsewhere.
 */
function ownMachine(reach: Reach): Record<string, string> {
  return reach === 'lan' || process.env.PUBLIC_URL || process.env.SIMULATED_APP_HOST
    ? {}
    : { LISTEN_HOST: '127.0.0.1' };
}

/** An empty database in the stead of one with data would look like a loss of all of them. */
function lostData(folder: string, database: string): StartError {
  return new StartError(
    `The data folder ${folder} belongs to an installation, and ${database} is empty: restore a backup (npm run landfall -- restore FILE), or correct DATABASE_URL. To begin anew, set LANDFALL_DATA to another folder.`,
  );
}

async function ownDatabase(folder: string, started: Running[]): Promise<string> {
  say('Starting PostgreSQL …');
  // Without PostgreSQL no further data would be stored. The process exits, so that its supervisor starts it again.
  const onExit = (reason: string) =>
    unlessStopping(() => {
      console.error(`PostgreSQL ended by itself, so Landfall ends too. ${reason}`);
      process.exit(1);
    });
  const create = !wasInstalled(folder);
  const embedded = await startEmbedded({ dir: path.join(folder, 'postgres'), durable: true, create, onExit }).catch(
    (error: unknown) => {
      throw folderError(error, folder);
    },
  );
  if (embedded.elsewhere) say(`Its data are in ${embedded.dir}: only root can enter the folder ${folder}.`);
  started.push(embedded);
  // Also for people who want to look into the database: psql "$(cat .landfall/database-url)".
  started.push(tellWhileRunning(folder, 'database-url', embedded.url));
  return embedded.url;
}
