// Checks the copies of the association files at Apple and Google. Phones read these, and not the host. A copy may be a
// day old, so a wrong one is a warning.
import type { App } from '@landfall/contracts';
import type { AssociationFinding } from './association-check.ts';
import { appleLacks, fingerprintsLack } from './check-file.ts';
import type { GetFile } from './get-file.ts';

type Verdict = Pick<AssociationFinding, 'state' | 'detail' | 'fix'>;

const WAIT = 'Wait: a copy may be a day old. If it stays, let the internet reach the file on the host.';
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
  const query = new URLSearchParams({
    'source.web.site': `https://${host}`,
    relation: 'delegate_permission/common.handle_all_urls',
  });
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

const well = (who: string): Verdict => ({ state: 'ok', detail: `${who}’s copy names the app.`, fix: null });
const notAnswered = (who: string, why: string): Verdict => ({
  state: 'skipped',
  detail: `${who} was not asked, or gave no answer (${why}).`,
  fix: null,
});

async function asking(who: string, ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    return notAnswered(who, (error as { code?: string }).code ?? (error as Error).name);
  }
}
