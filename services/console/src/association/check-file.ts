// Checks one association file as its readers see it, and its copies at Apple and Google.
import type { App } from '@landfall/contracts';
import type { AssociationFinding } from './association-repository.ts';
import { type GetFile, MOST_BYTES } from './get-file.ts';

export type Verdict = Pick<AssociationFinding, 'state' | 'detail' | 'fix'>;

const ok = (detail: string): Verdict => ({ state: 'ok', detail, fix: null });
const failed = (detail: string, fix: string): Verdict => ({ state: 'failed', detail, fix });

const PASS = 'Let the proxy pass this path to Landfall';

/** Never rejects. `expected` is the file that Landfall serves. `lacks` says what of the app is missing in a file. */
export async function checkFile(
  get: GetFile,
  url: string,
  publicOnly: boolean,
  expected: object,
  lacks: (file: unknown) => string | null,
): Promise<Verdict> {
  try {
    const { status, type, text } = await get(url, { publicOnly });
    if (status >= 300 && status < 400) return failed('The host redirects. Apple and Google do not follow.', `${PASS}.`);
    if (status !== 200)
      return failed(`The host answers with status ${status}.`, `${PASS}, with the Host header unchanged.`);
    if (!type.startsWith('application/json')) return failed('The file is not sent as application/json.', `${PASS}.`);
    const file = parsed(text);
    if (file === undefined) return failed('The file is not valid JSON.', `${PASS}.`);
    const missing = lacks(file);
    if (missing !== null) return failed(missing, `${PASS}, and let no cache keep it.`);
    if (JSON.stringify(file) !== JSON.stringify(expected))
      return failed('Another file is there, or an older one.', `${PASS}, and let no cache keep it.`);
    return ok('The file is there, and names the app.');
  } catch (error) {
    return noAnswer(codeOf(error));
  }
}

const NO_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_NODATA']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO|SSL|TLS/;

function noAnswer(code: string): Verdict {
  if (code === 'TOO_LARGE') return failed(`The file has over ${MOST_BYTES / 1_024} KB.`, `${PASS}.`);
  if (code === 'PRIVATE_ADDRESS')
    return failed('The name leads to an address that the internet does not reach.', 'Let its DNS lead to your proxy.');
  if (NO_NAME.has(code))
    return failed(
      `The name has no address in DNS (${code}).`,
      'Add a DNS record for the host that leads to your proxy.',
    );
  if (CERTIFICATE.test(code))
    return failed(
      `The certificate of the host is not valid (${code}).`,
      'Give the proxy a valid certificate for the host.',
    );
  return failed(
    `The host does not answer this gateway (${code}).`,
    'Let the proxy accept connections for the host, also from this gateway.',
  );
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).name;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Says what an apple-app-site-association lacks of the app. Null: nothing. */
export function appleLacks({ ios }: App, file: unknown): string | null {
  const details = listOf(field(field(file, 'applinks'), 'details'));
  if (details.length === 0) return 'The file has no applinks.details.';
  const ids = details.flatMap((one) => [field(one, 'appID'), ...listOf(field(one, 'appIDs'))]);
  if (ids.includes(`${ios.teamId}.${ios.bundleId}`)) return null;
  const sameApp = ids.some((id) => typeof id === 'string' && id.endsWith(`.${ios.bundleId}`));
  return sameApp
    ? `The file names the app with another team than ${ios.teamId}.`
    : `The file does not name ${ios.teamId}.${ios.bundleId}.`;
}

const HANDLES_URLS = 'delegate_permission/common.handle_all_urls';

/** Says what an assetlinks.json lacks of the app. Null: nothing. */
export function googleLacks({ android }: App, file: unknown): string | null {
  const targets = listOf(file)
    .filter((one) => listOf(field(one, 'relation')).includes(HANDLES_URLS))
    .map((one) => field(one, 'target'))
    .filter((target) => field(target, 'package_name') === android.package);
  const found = targets.flatMap((target) => listOf(field(target, 'sha256_cert_fingerprints')));
  return fingerprintsLack(android, targets.length > 0, found);
}

function fingerprintsLack(android: App['android'], named: boolean, found: readonly unknown[]): string | null {
  if (!named) return `The file does not name ${android.package}.`;
  const missing = android.certificates.filter((certificate) => !found.includes(certificate.toUpperCase()));
  return missing.length === 0 ? null : `The file lacks the fingerprint ${missing[0]}.`;
}

const WAIT = 'Wait: a copy may be a day old. If it stays, let the internet reach the file on the host.';
/** Phones read the copies of Apple and Google. A copy may be a day old, so a wrong one is a warning. */
const warn = (detail: string): Verdict => ({ state: 'warn', detail, fix: WAIT });
const OUT = { publicOnly: true } as const;

/** Never rejects. Without a way to the internet it says so. */
export async function checkAppleCopy(get: GetFile, app: App, host: string): Promise<Verdict> {
  return asking('Apple', async () => {
    const { status, text } = await get(`https://app-site-association.cdn-apple.com/a/v1/${host}`, OUT);
    if (status === 404) return warn('Apple has no copy of the file.');
    if (status !== 200) return notAnswered('Apple', `status ${status}`);
    const missing = appleLacks(app, JSON.parse(text));
    return missing === null ? well('Apple') : warn(`Apple’s copy is not current. ${missing}`);
  });
}

/** Never rejects. */
export async function checkGoogleCopy(get: GetFile, { android }: App, host: string): Promise<Verdict> {
  const query = new URLSearchParams({ 'source.web.site': `https://${host}`, relation: HANDLES_URLS });
  return asking('Google', async () => {
    const { status, text } = await get(`https://digitalassetlinks.googleapis.com/v1/statements:list?${query}`, OUT);
    if (status !== 200) return notAnswered('Google', `status ${status}`);
    const { statements = [] } = JSON.parse(text) as { statements?: Statement[] };
    const apps = statements
      .map(({ target }) => target?.androidApp)
      .filter((one) => one?.packageName === android.package);
    const found = apps.map((one) => one?.certificate?.sha256Fingerprint?.toUpperCase());
    const missing = fingerprintsLack(android, apps.length > 0, found);
    return missing === null ? well('Google') : warn(`Google’s copy is not current. ${missing}`);
  });
}

interface Statement {
  target?: { androidApp?: { packageName?: string; certificate?: { sha256Fingerprint?: string } } };
}

const well = (who: string): Verdict => ok(`${who}’s copy names the app.`);
const notAnswered = (who: string, why: string): Verdict => ({
  state: 'skipped',
  detail: `${who} was not asked, or gave no answer (${why}).`,
  fix: null,
});

async function asking(who: string, ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    return notAnswered(who, codeOf(error));
  }
}
