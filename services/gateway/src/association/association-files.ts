// Makes and serves the two files that allow an app on iOS and Android to open the links of a host. They are the same for every
// visitor, and for both hosts of the app. Null means 404: Apple's CDN would remember a file without an app.
import type { App } from '@landfall/contracts';
import { gathered, hostOf, sendJson } from '@landfall/http';
import type { Request, Response } from 'express';
import { RESERVED_SEGMENTS } from '../links/reserved-paths.ts';

type AppleComponent = { '/': string; exclude?: true };

/** Returns the id that Apple gives to the app: team and bundle. Null until both are set. */
export const appleAppId = ({ ios: { teamId, bundleId } }: App): string | null =>
  teamId === null || bundleId === null ? null : `${teamId}.${bundleId}`;

/** Returns `/.well-known/apple-app-site-association` in the format of iOS 13 and later. */
export function appleAppSiteAssociation(app: App) {
  const { teamId, appClipBundleId } = app.ios;
  const appId = appleAppId(app);
  if (appId === null) return null;
  return {
    applinks: { details: [{ appIDs: [appId], components }] },
    // App Clips, which open by links on the host.
    ...(appClipBundleId !== null && { appclips: { apps: [`${teamId}.${appClipBundleId}`] } }),
  };
}

// The first match counts, so the excluded paths come first.
const components: AppleComponent[] = [
  { '/': '/', exclude: true },
  ...RESERVED_SEGMENTS.flatMap((segment): AppleComponent[] => [
    { '/': `/${segment}`, exclude: true },
    { '/': `/${segment}/*`, exclude: true },
  ]),
  // Images of links. A phone with the app shall show them.
  { '/': '/*.qr.png', exclude: true },
  { '/': '/*.qr.svg', exclude: true },
  { '/': '/*' },
];

/** Returns `/.well-known/assetlinks.json`. Several certificates are usual: debug, upload and Play's own. */
export function assetLinks(app: App) {
  const { package: packageName, certificates } = app.android;
  if (packageName === null || certificates.length === 0) return null;
  return [
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: packageName,
        sha256_cert_fingerprints: [...new Set(certificates.map((certificate) => certificate.toUpperCase()))],
      },
    },
  ];
}

const KEPT_SECONDS = 300;

export function serveAssociation(appAt: (host: string) => Promise<App | null>, fileOf: (app: App) => object | null) {
  return async (req: Request, res: Response): Promise<void> => {
    const app = await appAt(hostOf(req));
    const file = app?.archivedAt === null ? fileOf(app) : null;
    if (!file) return sendJson(res, 404, { error: 'No app is set up for this host.', code: 'NOT_FOUND' });
    gathered(res)['Cache-Control'] = `public, max-age=${KEPT_SECONDS}`;
    sendJson(res, 200, file);
  };
}
