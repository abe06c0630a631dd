// Checks what phones need of an app: its settings, https, and the association files as they see them on its hosts.
// Every finding that is not well has one fix.
import type { App } from '@landfall/contracts';
import { appleAppSiteAssociation, assetLinks } from './association-files.ts';

export const CHECK_STATES = ['ok', 'warn', 'failed', 'skipped'] as const;

export interface Finding {
  check: 'https' | 'ios-settings' | 'android-settings' | 'ios-store' | 'android-store' | 'apple-file' | 'google-file';
  state: (typeof CHECK_STATES)[number];
  /** The host of a file. Null for settings. */
  host: string | null;
  /** What was found, in a sentence. */
  detail: string;
  /** What to do about it, in a sentence. Null when all is well. */
  fix: string | null;
}

export interface AppChecksParts {
  app: App;
  /** `http:` or `https:`. */
  scheme: string;
  /** The hosts of the app, with ports. */
  hosts: readonly string[];
  fetch: typeof fetch;
}

export const APPLE_PATH = '/.well-known/apple-app-site-association';
export const GOOGLE_PATH = '/.well-known/assetlinks.json';

/** Apple's CDN waits about as long. */
const WITHIN_MS = 5_000;
/** The limit of Apple. */
const MOST_BYTES = 128 * 1_024;

/** Never rejects. */
export async function checksOf(parts: AppChecksParts): Promise<Finding[]> {
  const files = parts.hosts.flatMap((host) => [
    checkFile(parts, host, 'apple-file', APPLE_PATH, appleAppSiteAssociation(parts.app)),
    checkFile(parts, host, 'google-file', GOOGLE_PATH, assetLinks(parts.app)),
  ]);
  return [...settingsOf(parts), ...(await Promise.all(files))];
}

function settingsOf({ app: { ios, android, webFallbackUrl }, scheme }: AppChecksParts): Finding[] {
  const of = (check: Finding['check'], fault: string | null, well: string, fix: string): Finding =>
    fault === null
      ? { check, state: 'ok', host: null, detail: well, fix: null }
      : { check, state: 'warn', host: null, detail: fault, fix };
  const appleId = [ios.teamId === null && 'team identifier', ios.bundleId === null && 'bundle identifier'];
  const androidId = [
    android.package === null && 'application id',
    android.certificates.length === 0 && 'SHA-256 fingerprint of a signing certificate',
  ];
  const hasWeb = webFallbackUrl !== null;
  return [
    of(
      'https',
      scheme === 'https:' ? null : 'Links begin with http. Phones open apps only from https links.',
      'Links begin with https.',
      'Put a proxy with a certificate before Landfall, and set PUBLIC_URL to its https address.',
    ),
    of(
      'ios-settings',
      lacks('the iOS app', appleId, 'Links do not open it on iPhones.'),
      `Links open ${ios.teamId}.${ios.bundleId} on iPhones.`,
      'Enter the missing values in Settings. Both are in Apple’s developer account.',
    ),
    of(
      'android-settings',
      lacks('the Android app', androidId, 'Links do not open it on Android.'),
      `Links open ${android.package} on Android, when it is signed with one of ${android.certificates.length} certificates.`,
      'Enter the missing values in Settings. The Play Console shows the fingerprints under App signing: take the app signing key, and the upload key for tests.',
    ),
    of(
      'ios-store',
      ios.storeId !== null || ios.storeUrl !== null || hasWeb
        ? null
        : 'iPhones without the app are sent nowhere: there is no App Store page and no web page.',
      'iPhones without the app have somewhere to go.',
      'Enter the number in the App Store, or a web page, in Settings.',
    ),
    of(
      'android-store',
      android.package !== null || android.storeUrl !== null || hasWeb
        ? null
        : 'Android phones without the app are sent nowhere: there is no Play page and no web page.',
      'Android phones without the app have somewhere to go.',
      'Enter the application id, or a web page, in Settings.',
    ),
  ];
}

function lacks(what: string, missing: (string | false)[], so: string): string | null {
  const names = missing.filter((name) => name !== false);
  return names.length === 0 ? null : `The settings of ${what} lack the ${names.join(' and the ')}. ${so}`;
}

async function checkFile(
  { scheme, fetch }: AppChecksParts,
  host: string,
  check: 'apple-file' | 'google-file',
  path: string,
  expected: object | null,
): Promise<Finding> {
  const finding = (state: Finding['state'], detail: string, fix: string | null = null): Finding => ({
    check,
    state,
    host,
    detail,
    fix,
  });
  if (expected === null) return finding('skipped', 'There is no file, because the settings of the app lack a value.');
  if (isLocal(host))
    return finding(
      'warn',
      'The host exists on this machine alone, so no phone reads the file.',
      'Set PUBLIC_URL and LINK_DOMAIN to names that phones reach.',
    );
  const wrong = (detail: string, fix: string) => finding('failed', detail, fix);
  try {
    const answer = await fetch(`${scheme}//${host}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (answer.status >= 300 && answer.status < 400)
      return wrong('The host redirects. Apple and Google do not follow.', 'Let the proxy pass this path to Landfall.');
    if (answer.status !== 200)
      return wrong(
        `The host answers with status ${answer.status}.`,
        'Let the proxy pass this path to Landfall, with the Host header unchanged.',
      );
    if (!answer.headers.get('content-type')?.startsWith('application/json'))
      return wrong('The file is not sent as application/json.', 'Let the proxy pass this path to Landfall.');
    const text = await answer.text();
    if (text.length > MOST_BYTES) return wrong('The file has over 128 KB.', 'Remove settings of the app.');
    if (!isSame(text, expected))
      return wrong(
        'Another file is there, or an older one.',
        'Let the proxy pass this path to Landfall, and let no cache keep it.',
      );
    return finding('ok', 'The file is there, and names the app.');
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? (error as Error).name;
    return wrong(
      `The host does not answer this gateway (${reason}).`,
      'Add a DNS record for the host that leads to your proxy, with a certificate for it.',
    );
  }
}

function isSame(text: string, expected: object): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(expected);
  } catch {
    return false;
  }
}

function isLocal(host: string): boolean {
  const plain = host.replace(/:\d+$/, '');
  return plain === 'localhost' || plain.endsWith('.localhost') || /^127\./.test(plain);
}
