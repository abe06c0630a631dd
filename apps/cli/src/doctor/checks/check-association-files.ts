// Checks the files that allow an app to open links on iOS and Android. Fetches them as Apple and Google do.
import { isAddress, isInside, isLocalName } from '../facts/addresses.ts';
import type { Facts } from '../facts/facts.ts';
import { SITE_MS } from '../facts/facts.ts';
import { explain, type Get, type Got, jsonOf } from '../facts/get.ts';
import { type Host, hostsOf, nameOf } from '../facts/hosts.ts';
import type { KnownApp } from '../facts/site.ts';
import { type Finding, fail, ok, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const associationFilesCheck: Check<Facts> = {
  name: 'association files',
  withinMs: SITE_MS + 3_500,
  async run({ site, names, get }) {
    const looked = await site();
    const name = 'association files';
    if (!looked?.apps) return [skipped(name, looked?.appsFrom ?? 'no gateway answers')];
    if (looked.apps.length === 0) return [skipped(name, 'there is no app yet', 'Make one: docs/guides/first-app.md.')];
    if (looked.linkDomain === undefined)
      return [skipped(name, 'it is not known on which hosts they are: set LINK_DOMAIN')];
    const hosts = hostsOf(looked).filter(({ kind }) => kind !== 'api');
    const fetched = await Promise.all(
      hosts.flatMap(({ app, ...host }) =>
        files.map(async (file): Promise<Fetched | undefined> => {
          if (!app || !file.isSet(app)) return undefined;
          const { v4, v6 } = await names.resolve(nameOf(host));
          return v4.length + v6.length === 0 ? undefined : fetchFile(get, { ...host, app }, file);
        }),
      ),
    );
    const apps = [...new Set(hosts.flatMap(({ app }) => (app ? [app] : [])))];
    return [...settingsFindings(apps), ...fetchedFindings(fetched.filter((one) => one !== undefined))];
  },
};

export interface AssociationFile {
  path: string;
  who: 'Apple' | 'Google';
  /** Returns whether the app's settings have everything that the file needs. */
  isSet(app: KnownApp): boolean;
  /** Returns the required content. */
  holds(app: KnownApp): readonly string[];
  /** Returns the actual content. */
  found(json: unknown): readonly string[];
}

const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

export const files: readonly AssociationFile[] = [
  {
    path: '/.well-known/apple-app-site-association',
    who: 'Apple',
    isSet: ({ ios }) => ios.teamId !== null && ios.bundleId !== null,
    holds: ({ ios }) => [`${ios.teamId}.${ios.bundleId}`],
    found: (json) =>
      array(field(field(json, 'applinks'), 'details')).flatMap((detail) => array(field(detail, 'appIDs'))) as string[],
  },
  {
    path: '/.well-known/assetlinks.json',
    who: 'Google',
    isSet: ({ android }) => android.package !== null && android.certificates.length > 0,
    holds: ({ android }) => [android.package!, ...android.certificates],
    found: (json) =>
      array(json).flatMap((one) => {
        const target = field(one, 'target');
        return [field(target, 'package_name'), ...array(field(target, 'sha256_cert_fingerprints'))];
      }) as string[],
  },
];

export interface Fetched {
  host: Host & { app: KnownApp };
  file: AssociationFile;
  got?: Got;
  fault?: { says: string; remedy: string };
}

async function fetchFile(get: Get, host: Fetched['host'], file: AssociationFile): Promise<Fetched> {
  try {
    return { host, file, got: await get(`${host.url}${file.path}`) };
  } catch (error) {
    return { host, file, fault: explain(error) };
  }
}

/** Returns findings for apps whose settings are not enough to make the files. */
export function settingsFindings(apps: readonly KnownApp[]): Finding[] {
  const without = (is: (app: KnownApp) => boolean) => apps.filter((app) => !is(app)).map(({ subdomain }) => subdomain);
  const [apple, google] = files.map(({ isSet }) => without(isSet)) as [string[], string[]];
  const set = (what: string) =>
    `If it has such an app, set ${what} with PATCH /api/manage/apps/<id> (docs/guides/first-app.md).`;
  return [
    ...(apple.length === 0
      ? []
      : [
          skipped(
            'association files',
            `Apple's file: no iOS app is set for ${some(apple)}`,
            set('ios.teamId and ios.bundleId'),
          ),
        ]),
    ...(google.length === 0
      ? []
      : [
          skipped(
            'association files',
            `Google's file: no Android app with certificates is set for ${some(google)}`,
            set('android.package and android.certificates'),
          ),
        ]),
  ];
}

const MAX_BYTES = 128 * 1024;

export function fetchedFindings(all: readonly Fetched[]): Finding[] {
  if (all.length === 0) return [];
  const found = all.flatMap((one) => fileFinding(one) ?? []);
  const same = [...Map.groupBy(found, ({ remedy }) => remedy ?? '').values()];
  if (same.length > 0)
    return same.map(([first, ...rest]) =>
      rest.length === 0 ? first! : { ...first!, says: `${first!.says} (and ${rest.length} more the same way)` },
    );
  const hosts = some([...new Set(all.map(({ host }) => host.host))], 4);
  const who = [...new Set(all.map(({ file }) => file.who))].join(' and ');
  const says = `the files for ${who} are right on ${hosts}`;
  const { host } = all[0]!;
  if (host.url.startsWith('https:')) return [ok('association files', says)];
  const name = nameOf(host);
  if (isLocalName(name) || (isAddress(name) && isInside(name)))
    return [ok('association files', `${says}; nobody outside reads them there`)];
  return [
    warn(
      'association files',
      `${says}, but without https, and ${who} asks over nothing else`,
      'Serve the link hosts over https, and set PUBLIC_URL=https://….',
    ),
  ];
}

/** Returns undefined when the file is right. */
function fileFinding({ host, file, got, fault }: Fetched): Finding | undefined {
  const url = `${host.url}${file.path}`;
  const bad = (says: string, remedy: string) => fail('association files', `${url}: ${says}`, remedy);
  if (fault) return bad(fault.says, fault.remedy);
  if (!got) return undefined;
  const { status, headers, bytes } = got;
  if (status >= 300 && status < 400)
    return bad(
      `it redirects to ${headers.location ?? 'elsewhere'}, and ${file.who} follows no redirect`,
      'Have the proxy serve /.well-known/ on the link hosts without a redirect.',
    );
  if (status !== 200)
    return bad(
      `status ${status} instead of 200`,
      'Have the proxy send /.well-known/ on the link hosts to the gateway, with the Host header as it came, and without a login.',
    );
  const type = String(headers['content-type'] ?? 'none');
  if (!/^application\/json\b/i.test(type))
    return bad(
      `content-type ${type} instead of application/json`,
      'Have the proxy pass the content-type on, and serve no file of its own there.',
    );
  if (bytes > MAX_BYTES)
    return bad(`it is longer than 128 KB`, 'Something else is served there: have the proxy send it to the gateway.');
  const holds = new Set(file.found(jsonOf(got)));
  const missing = file.holds(host.app).filter((one) => !holds.has(one));
  if (missing.length === 0) return undefined;
  return bad(
    `it does not hold ${some(missing)}`,
    'An old copy is in the proxy or a CDN, or another file is served there: empty that, and have it passed to the gateway.',
  );
}
