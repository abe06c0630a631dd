// Makes the two files that allow an app on iOS and Android to open the links of a host. They are the same for every
// visitor, and for both hosts of the app. Null means 404: Apple's CDN would remember a file without an app.
import type { App } from '@landfall/contracts';
import { RESERVED_SEGMENTS } from '../links/reserved-paths.ts';

type AppleComponent = { '/': string; exclude?: true };

/** Returns `/.well-known/apple-app-site-association` in the format of iOS 13 and later. */
export function appleAppSiteAssociation(app: App) {
  const { teamId, bundleId, appClipBundleId } = app.ios;
  if (teamId === null || bundleId === null) return null;
  return {
    applinks: { details: [{ appIDs: [`${teamId}.${bundleId}`], components }] },
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
