// Checks the files that allow an app to open links on iOS and Android. Fetches them as Apple and Google do.
import { isOnlyHere } from '../facts/addresses.ts';
import { SITE_MS } from '../facts/facts.ts';
import { explain, type Get, jsonOf } from '../facts/get.ts';
import { askEach, type Host, hostsOf, nameOf } from '../facts/hosts.ts';
import type { KnownApp } from '../facts/site.ts';
import { fail, folded, ok, type Said, skipped, some, warn } from '../finding.ts';
import type { Check } from '../run-checks.ts';

export const associationFilesCheck: Check = {
  name: 'association files',
  withinMs: SITE_MS + 3_500,
  async run({ site, names, get }) {
    const looked = await site();
    if (!looked) return skipped('no gateway answers');
    if (!looked.apps) return skipped('neither the management API nor the database says which apps there are');
    if (looked.apps.length === 0) return skipped('there is no app yet', 'Make one: docs/guides/first-app.md.');
    if (looked.linkDomain === undefined) return skipped('it is not known on which hosts they are: set LINK_DOMAIN');
    const hosts = hostsOf(looked).filter(({ kind }) => kind !== 'api');
    const fetched = await askEach(hosts, names, ({ app, ...host }) => {
      const wanted = files.filter((file) => app && file.isSet(app));
      return Promise.all(
        wanted.map(async (file) => ({ host, file, fault: await faultOf(get, `${host.url}${file.path}`, file, app!) })),
      );
    });
    const apps = new Set(hosts.flatMap(({ app }) => app ?? []));
    return [...settingsFindings([...apps]), ...fetchedFindings(fetched.flat())];
  },
};

interface AssociationFile {
  path: string;
  who: 'Apple' | 'Google';
  /** What the settings of an app need for the file, and their names. */
  needs: string;
  settings: string;
  isSet(app: KnownApp): boolean;
  holds(app: KnownApp): readonly string[];
  found(json: unknown): readonly string[];
}

const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const files: readonly AssociationFile[] = [
  {
    path: '/.well-known/apple-app-site-association',
    who: 'Apple',
    needs: 'iOS app',
    settings: 'ios.teamId and ios.bundleId',
    isSet: ({ ios }) => ios.teamId !== null && ios.bundleId !== null,
    holds: ({ ios }) => [`${ios.teamId}.${ios.bundleId}`],
    found: (json) =>
      array(field(field(json, 'applinks'), 'details')).flatMap((detail) => array(field(detail, 'appIDs'))) as string[],
  },
  {
    path: '/.well-known/assetlinks.json',
    who: 'Google',
    needs: 'Android app with certificates',
    settings: 'android.package and android.certificates',
    isSet: ({ android }) => android.package !== null && android.certificates.length > 0,
    holds: ({ android }) => [android.package!, ...android.certificates],
    found: (json) =>
      array(json).flatMap((one) => {
        const target = field(one, 'target');
        return [field(target, 'package_name'), ...array(field(target, 'sha256_cert_fingerprints'))];
      }) as string[],
  },
];

/** For apps whose settings are not enough to make the files. */
const settingsFindings = (apps: readonly KnownApp[]): Said[] =>
  files.flatMap(({ who, needs, settings, isSet }) => {
    const without = apps.filter((app) => !isSet(app)).map(({ subdomain }) => subdomain);
    if (without.length === 0) return [];
    return skipped(
      `${who}'s file: no ${needs} is set for ${some(without)}`,
      `If it has such an app, set ${settings} with PATCH /api/manage/apps/<id> (docs/guides/first-app.md).`,
    );
  });

interface Fetched {
  host: Pick<Host, 'host' | 'url'>;
  file: AssociationFile;
  fault: Said | undefined;
}

function fetchedFindings(all: readonly Fetched[]): Said[] {
  const faults = folded(all.flatMap(({ fault }) => fault ?? []));
  if (faults.length > 0 || all.length === 0) return faults;
  const hosts = some([...new Set(all.map(({ host }) => host.host))], 4);
  const who = [...new Set(all.map(({ file }) => file.who))].join(' and ');
  const says = `the files for ${who} are right on ${hosts}`;
  const { host } = all[0]!;
  if (host.url.startsWith('https:')) return [ok(says)];
  if (isOnlyHere(nameOf(host))) return [ok(`${says}; nobody outside reads them there`)];
  return [
    warn(
      `${says}, but without https, and ${who} asks over nothing else`,
      'Serve the link hosts over https, and set PUBLIC_URL=https://….',
    ),
  ];
}

const MAX_BYTES = 128 * 1024;

/** Undefined: the file is right. */
async function faultOf(get: Get, url: string, file: AssociationFile, app: KnownApp): Promise<Said | undefined> {
  const bad = (says: string, remedy: string) => fail(`${url}: ${says}`, remedy);
  const got = await get(url).catch(explain);
  if ('says' in got) return bad(got.says, got.remedy);
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
  const missing = file.holds(app).filter((one) => !holds.has(one));
  if (missing.length === 0) return undefined;
  return bad(
    `it does not hold ${some(missing)}`,
    'An old copy is in the proxy or a CDN, or another file is served there: empty that, and have it passed to the gateway.',
  );
}
