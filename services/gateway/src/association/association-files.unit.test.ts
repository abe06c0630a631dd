import { anApp } from '@landfall/contracts/testing';
import { describe, expect, it } from 'vitest';
import { isReservedSegment, RESERVED_SEGMENTS } from '../links/reserved-paths.ts';
import { appleAppSiteAssociation, assetLinks } from './association-files.ts';

/** Apple's rule: the first matching component decides. `*` is any characters, `?` is one. */
function opensApp(path: string): boolean {
  const components = appleAppSiteAssociation(anApp())?.applinks.details[0]?.components ?? [];
  const match = components.find((component) => {
    const pattern = component['/']
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${pattern}$`, 's').test(path);
  });
  return match !== undefined && match.exclude !== true;
}

describe('appleAppSiteAssociation', () => {
  it('names the app in the format of iOS 13, without the older format', () => {
    const file = appleAppSiteAssociation(anApp());
    const details = [{ appIDs: ['ABCDE12345.com.example.shop'], components: expect.any(Array) }];
    expect(file).toEqual({ applinks: { details } });
    for (const component of file?.applinks.details[0]?.components ?? []) expect(component['/']).not.toContain('#');
  });

  it.each(['/1763737445000-abcdefghijkl', '/1763737445000-abcdefghijkl/', '/apis', '/docs2', '/metrics-1'])(
    'opens the app for %s',
    (path) => expect(opensApp(path)).toBe(true),
  );

  it.each([
    ...['/', '/api/links/get-by-slug', '/docs', '/docs/', '/.well-known/apple-app-site-association', '/logos/x.png'],
    ...['/1763737445000-abcdefghijkl.qr.png', '/1763737445000-abcdefghijkl.qr.svg'],
  ])('leaves %s to the browser', (path) => expect(opensApp(path)).toBe(false));

  it('names the App Clip', () => {
    const app = anApp({ ios: { appClipBundleId: 'com.example.shop.Clip' } });
    expect(appleAppSiteAssociation(app)?.appclips).toEqual({ apps: ['ABCDE12345.com.example.shop.Clip'] });
  });

  it.each([{ teamId: null }, { bundleId: null }])('is none with %o', (ios) => {
    expect(appleAppSiteAssociation(anApp({ ios }))).toBeNull();
  });
});

describe('assetLinks', () => {
  it('names the package and its certificates in upper case, each once', () => {
    const certificates = ['AB:'.repeat(31).concat('CD'), '01:'.repeat(31).concat('02'), 'AB:'.repeat(31).concat('CD')];
    expect(assetLinks(anApp({ android: { certificates } }))).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.shop',
          sha256_cert_fingerprints: certificates.slice(0, 2),
        },
      },
    ]);
  });

  it.each([{ package: null }, { certificates: [] }])('is none with %o', (android) => {
    expect(assetLinks(anApp({ android }))).toBeNull();
  });
});

describe('reserved segments', () => {
  it('is reserved in any case, and whole', () => {
    for (const segment of RESERVED_SEGMENTS) expect(isReservedSegment(segment.toUpperCase())).toBe(true);
    for (const segment of ['', 'ap', 'api2', 'constructor']) expect(isReservedSegment(segment)).toBe(false);
  });
});
