// Checks what phones need of an app. Every finding that is not well has one fix.

import { type App, associationChecks } from '@landfall/contracts';
import { appleAppSiteAssociation, assetLinks, NOT_IN_STORE, storesWithout } from '@landfall/gateway';
import { z } from 'zod';
import { type AssociationCheck, type AssociationFinding, findingStates } from './association-repository.ts';
import { appleLacks, checkAppleCopy, checkFile, checkGoogleCopy, googleLacks, type Verdict } from './check-file.ts';
import { createCheckRuns } from './check-runs.ts';
import type { GetFile } from './get-file.ts';

export const Finding = z.object({
  check: z.enum(['https', 'ios-settings', 'android-settings', 'ios-store', 'android-store', ...associationChecks]),
  state: z.enum(findingStates),
  host: z.string().nullable().describe('The host of a file. Null for settings.'),
  detail: z.string().describe('What was found, in a sentence.'),
  fix: z.string().nullable().describe('What to do about it. Null when all is well.'),
});
export type Finding = z.output<typeof Finding>;

const SEEN_FRESH_MS = 30_000;
/** Somebody has asked for a check now, perhaps after a change of DNS. */
const STORED_FRESH_MS = 5_000;

export const createAppChecks = (now: () => Date) => ({
  /** Those that a page shows. */
  seen: createCheckRuns<Finding[]>(SEEN_FRESH_MS, now),
  /** Those that are stored. Null: the app does not exist any more. */
  stored: createCheckRuns<AssociationCheck | null>(STORED_FRESH_MS, now),
});

interface AppChecksParts {
  app: App;
  /** `http:` or `https:`. */
  scheme: string;
  /** The hosts of the app, with ports. */
  hosts: readonly string[];
  get: GetFile;
  /** True while the simulated app takes the place of the stores that the app does not have. */
  simulated?: boolean;
}

export const APPLE_PATH = '/.well-known/apple-app-site-association';
export const GOOGLE_PATH = '/.well-known/assetlinks.json';

/** Checks the settings, and the files of the hosts as this gateway sees them. Never rejects. */
export async function checksOf(parts: AppChecksParts): Promise<Finding[]> {
  return [...settingsOf(parts), ...(await checkHosts(parts, false))];
}

/** Never rejects. `withCopies`: also checks the copies at Apple and Google. */
export async function checkHosts(parts: AppChecksParts, withCopies: boolean): Promise<AssociationFinding[]> {
  const { app, get } = parts;
  const apple = appleAppSiteAssociation(app);
  const google = assetLinks(app);
  const findings = parts.hosts.flatMap((host) => {
    const copies = withCopies && !isLocal(host);
    return [
      fileOn(parts, host, 'apple-file', APPLE_PATH, apple, (file) => appleLacks(app, file)),
      fileOn(parts, host, 'google-file', GOOGLE_PATH, google, (file) => googleLacks(app, file)),
      ...(copies && apple ? [found('apple-copy', host, checkAppleCopy(get, app, host))] : []),
      ...(copies && google ? [found('google-copy', host, checkGoogleCopy(get, app, host))] : []),
    ];
  });
  return Promise.all(findings);
}

/** The values of a file that the settings lack. */
const appleMissing = ({ ios }: App) => [
  ios.teamId === null && 'team identifier',
  ios.bundleId === null && 'bundle identifier',
];
const googleMissing = ({ android }: App) => [
  android.package === null && 'application id',
  android.certificates.length === 0 && 'SHA-256 fingerprint of a signing certificate',
];

function noFile({ app }: AppChecksParts, check: 'apple-file' | 'google-file'): string {
  const [whose, missing] = check === 'apple-file' ? ['Apple', appleMissing(app)] : ['Google', googleMissing(app)];
  return `There is no file. ${whose}’s file needs the ${listed(missing)}.`;
}

async function fileOn(
  parts: AppChecksParts,
  host: string,
  check: 'apple-file' | 'google-file',
  path: string,
  expected: object | null,
  lacks: (file: unknown) => string | null,
): Promise<AssociationFinding> {
  const { app, scheme, get } = parts;
  if (expected === null) return { check, host, state: 'skipped', detail: noFile(parts, check), fix: null };
  if (isLocal(host))
    return {
      check,
      host,
      state: 'warn',
      detail: 'The host exists on this machine alone, so no phone reads the file.',
      fix: 'Set PUBLIC_URL and LINK_DOMAIN to names that phones reach.',
    };
  // The DNS of a custom domain belongs to its owner, who may be anyone.
  const publicOnly = app.domains.includes(host);
  return found(check, host, checkFile(get, `${scheme}//${host}${path}`, publicOnly, expected, lacks));
}

const found = async (
  check: AssociationFinding['check'],
  host: string,
  verdict: Promise<Verdict>,
): Promise<AssociationFinding> => ({ check, host, ...(await verdict) });

function settingsOf({ app, scheme, simulated = false }: AppChecksParts): Finding[] {
  const { ios, android, webFallbackUrl } = app;
  const of = (check: Finding['check'], fault: string | null, well: string, fix: string): Finding =>
    fault === null
      ? { check, state: 'ok', host: null, detail: well, fix: null }
      : { check, state: 'warn', host: null, detail: fault, fix };
  const hasWeb = webFallbackUrl !== null;
  const iosGoes = ios.storeId !== null || ios.storeUrl !== null || hasWeb;
  const androidGoes = android.package !== null || android.storeUrl !== null || hasWeb;
  const { apple, play } = storesWithout(app);
  const lacking = { 'ios-store': apple, 'android-store': play };
  const store = (
    check: 'ios-store' | 'android-store',
    goes: boolean,
    fault: string,
    well: string,
    fix: string,
  ): Finding =>
    simulated && lacking[check]
      ? { check, state: 'skipped', host: null, detail: NOT_IN_STORE, fix: null }
      : of(check, goes ? null : fault, well, fix);
  return [
    of(
      'https',
      scheme === 'https:' ? null : 'Links begin with http. Phones open apps only from https links.',
      'Links begin with https.',
      'Put a proxy with a certificate before Landfall, and set PUBLIC_URL to its https address.',
    ),
    of(
      'ios-settings',
      lacks('the iOS app', appleMissing(app), 'Links do not open it on iPhones.'),
      `iPhones open links in ${ios.teamId}.${ios.bundleId}. Compare it with the app in Xcode.`,
      'Enter the missing values in Settings. Both are in Apple’s developer account.',
    ),
    of(
      'android-settings',
      lacks('the Android app', googleMissing(app), 'Links do not open it on Android.'),
      `Android opens links in ${android.package}, when it is signed with one of ${android.certificates.length} certificates. Compare the name with the app in Android Studio.`,
      'Enter the missing values in Settings. The Play Console shows the fingerprints under App signing: take the app signing key, and the upload key for tests.',
    ),
    store(
      'ios-store',
      iosGoes,
      'iPhones without the app are sent nowhere: there is no App Store page and no web page.',
      'iPhones without the app have somewhere to go.',
      'Enter the number in the App Store, or a web page, in Settings.',
    ),
    store(
      'android-store',
      androidGoes,
      'Android phones without the app are sent nowhere: there is no Play page and no web page.',
      'Android phones without the app have somewhere to go.',
      'Enter the application id, or a web page, in Settings.',
    ),
  ];
}

function lacks(what: string, missing: Missing, so: string): string | null {
  const names = listed(missing);
  return names === '' ? null : `The settings of ${what} lack the ${names}. ${so}`;
}

type Missing = readonly (string | false)[];

const listed = (missing: Missing): string => missing.filter((name) => name !== false).join(' and the ');

function isLocal(host: string): boolean {
  const plain = host.replace(/:\d+$/, '');
  return plain === 'localhost' || plain.endsWith('.localhost') || /^127\./.test(plain);
}
