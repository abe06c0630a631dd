// The checks of `diagnose()`: what the server knows, compared with what the system tells.
import { hostOf } from '../address.ts';
import type { Finding } from '../landfall.ts';
import { type Fields, fieldsOf, textOf } from '../link.ts';
import type { Facts } from '../system.ts';
import type { Core } from './core.ts';
import type { Outcome } from './transport.ts';

const HEARTBEAT_SECONDS = 25 * 60 * 60;

interface Known {
  /** The option. */
  readonly url: string;
  /** Of `GET /api/device-check`. Null if there was none. */
  readonly outcome: Outcome | null;
  /** False without consent. */
  readonly asked: boolean;
  readonly told: Partial<Facts>;
  readonly hosts: readonly string[];
  /** How many links wait that were delivered before this run. */
  readonly forgotten: number;
}

/** A check, its result in a sentence, and the fix if it failed. */
type Check = readonly [check: string, passed: boolean | null, detail: string, fix: string];

/** Asks the server, unless the person has not agreed, and the system. Returns the checks of the device's platform. */
export async function diagnose(core: Core): Promise<Finding[]> {
  const deviceFingerprint = await core.device();
  const asked = core.allowed();
  const outcome = asked ? await core.ask({ path: '/api/device-check', query: { deviceFingerprint } }) : null;
  const names = ['platform', 'installedAt', 'installReferrer', 'appId', 'certificates', 'opens'] as const;
  const told = await core.facts.within(names);
  const { options, hosts, inbox } = core;
  return findingsOf({ url: options.url, outcome, asked, told, hosts, forgotten: inbox.forgotten().length });
}

/** Returns the checks of the device's platform. */
function findingsOf(known: Known): Finding[] {
  const { url, outcome, asked, told, hosts } = known;
  const isAndroid = told.platform === 'android';
  const body = outcome?.ok ? outcome.body : null;
  // The route has no 404: who says it is another server, or another path of ours.
  const answered = outcome !== null && outcome.status !== 404;
  const keyPassed = answered ? outcome.status !== 401 && outcome.status !== 403 : null;
  const status = outcome ? `${url} answered with ${outcome.status}.` : `${url} did not answer as Landfall.`;
  const checks: readonly (Check | false)[] = [
    [
      'server',
      asked ? answered : null,
      asked ? status : 'Nothing is sent without consent.',
      asked
        ? 'Give `url` the origin of the API, and see that the device reaches it. On a phone, localhost is the phone.'
        : 'Call consent(true).',
    ],
    ['key', keyPassed, status, keyPassed === null ? FIRST : 'Make a mobile key for this app, and give it to `key`.'],
    ...ofAnswer(body, told, hosts),
    isAndroid && [
      'intent filter',
      told.opens ? hosts.every((host) => told.opens?.map(hostOf).includes(host)) : null,
      told.opens ? `Links of these hosts open the app: ${listOf(told.opens)}.` : 'The system does not tell it.',
      told.opens
        ? 'Add an intent filter with android:autoVerify for each host, and install the app again.'
        : 'Run adb shell pm get-app-links PACKAGE: each host must be verified.',
    ],
    isAndroid && [
      'install referrer',
      told.installReferrer !== undefined,
      told.installReferrer ?? 'The system has told none.',
      'Add a library for the Play Install Referrer, and give it to configure().',
    ],
    [
      'install time',
      told.installedAt !== undefined,
      told.installedAt === undefined ? 'The system does not tell it.' : new Date(told.installedAt).toISOString(),
      'Give configure() what tells the time of the install.',
    ],
    ...ofDevice(body),
    [
      'handled',
      known.forgotten === 0,
      `Links of earlier starts that wait: ${known.forgotten}.`,
      'Call handled() of each link when the app has opened it.',
    ],
  ];
  return checks.flatMap((check) => {
    if (!check) return [];
    const [name, passed, detail, fix] = check;
    return [{ check: name, passed, detail, fix: passed ? null : fix }];
  });
}

const FIRST = 'First see that `server` and `key` pass.';
const UNKNOWN = ['Unknown without an answer.', FIRST] as const;

function ofAnswer(body: Fields | null, told: Partial<Facts>, hosts: readonly string[]): (Check | false)[] {
  const { platform, appId, certificates } = told;
  const app = fieldsOf(body?.app);
  const android = fieldsOf(app.android);
  const theirHosts = stringsOf(app.hosts).map(hostOf);
  const theirCertificates = stringsOf(android.certificates).map(plain);
  const isAndroid = platform === 'android';
  const id = isAndroid ? textOf(android.package) : textOf(fieldsOf(app.ios).appId);
  const ofPlatform = isAndroid || platform === 'ios';
  const needs = isAndroid ? 'the package and a certificate' : 'the team and the bundle id';
  const serverSays = `The server has ${id ?? 'no id'}${isAndroid ? ` and ${theirCertificates.length} certificates` : ''}.`;
  const check = (name: string, passed: boolean | null, detail: string, fix: string): Check =>
    body ? [name, passed, detail, fix] : [name, null, ...UNKNOWN];
  return [
    check(
      'hosts',
      listOf(theirHosts) === listOf(hosts),
      `The server has ${listOf(theirHosts)}; the app has ${listOf(hosts)}.`,
      `Give \`hosts\` these: ${listOf(theirHosts)}.`,
    ),
    check(
      'association',
      ofPlatform ? id !== null && (!isAndroid || theirCertificates.length > 0) : null,
      ofPlatform ? serverSays : 'The platform is unknown.',
      `Enter ${needs} of the app on its page Add to your app.`,
    ),
    check(
      'app',
      ofPlatform && appId !== undefined ? (isAndroid ? id : (id?.replace(/^[^.]*\./, '') ?? null)) === appId : null,
      `The server has ${id ?? 'no id'}; the system says ${appId ?? 'nothing'}.`,
      appId === undefined
        ? 'Give configure() what tells the id of the app.'
        : `Enter ${appId} on the page Add to your app, or start the app with the other id.`,
    ),
    isAndroid &&
      check(
        'certificate',
        certificates ? certificates.some((own) => theirCertificates.includes(plain(own))) : null,
        certificates ? `The app is signed with ${listOf(certificates)}.` : 'The system does not tell it.',
        `Enter the SHA-256 of the certificate that signs the app on its page Add to your app. With Play App Signing it is Google's: see the Play Console.`,
      ),
  ];
}

function ofDevice(body: Fields | null): Check[] {
  if (!body)
    return [
      ['heartbeat', null, ...UNKNOWN],
      ['restore', null, ...UNKNOWN],
    ];
  const device = fieldsOf(body.device);
  const ago = device.heartbeatSecondsAgo;
  const restore = fieldsOf(device.restore);
  const isRestored = typeof restore.secondsAgo === 'number';
  return [
    [
      'heartbeat',
      typeof ago === 'number' && ago <= HEARTBEAT_SECONDS,
      typeof ago === 'number' ? `The last one came ${ago} s ago.` : 'None came from this device.',
      'Call start() at every start of the app.',
    ],
    [
      'restore',
      isRestored,
      isRestored
        ? `${restore.secondsAgo} s ago it found ${restore.found}: ${restore.why}`
        : 'None came from this device.',
      'Call start() at every start of the app.',
    ],
  ];
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
const listOf = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : [...texts].sort().join(', '));
const plain = (certificate: string): string => certificate.replace(/:/g, '').toLowerCase();
