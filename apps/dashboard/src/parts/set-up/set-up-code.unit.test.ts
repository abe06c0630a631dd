import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOfCode, readCode } from '../../../build/set-up-code.ts';
import { fill, PLATFORMS, VARIANTS, type Variant } from './platforms.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const code = readCode();
const values = {
  api: 'https://links.my-company.test',
  linkHost: 'cafe.my-links.test',
  openHost: 'open-cafe.my-links.test',
  key: 'ol_0123456789abcdef0123456789abcdef',
};
const filled = (variant: Variant) => code[variant].map((step) => fill(step.code, values)).join('\n');

describe.each(PLATFORMS.flatMap((platform) => VARIANTS[platform].map((variant) => [platform, variant] as const)))(
  'the code for %s (%s)',
  (platform, variant) => {
    it('has the values of the app, and none of the guide', () => {
      const text = filled(variant);
      expect(text).not.toMatch(/\bapi\.example|links\.example|ol_…|ol_your/);
      expect(text).toContain(values.api);
      if (platform !== 'web') expect(text).toContain(values.key);
      if (platform === 'server') return;
      expect(text).toContain(values.openHost);
      expect(text.replaceAll(values.openHost, '')).toContain(values.linkHost);
    });

    it('uses the client, and registers for pushes', () => {
      const text = filled(variant);
      if (variant !== 'curl') expect(text).toMatch(/import .*(landfall|openlynk_sdk)/i);
      if (platform !== 'web' && platform !== 'server') expect(text).toMatch(/push\.register\(|registerPushToken\(/);
    });
  },
);

it('a block of a list is not indented, and a file of entitlements is whole', () => {
  expect(code.swiftui[0]!.code).toMatch(/^<\?xml .*\n<!DOCTYPE .*\n<plist .*\n<dict>\n {2}<key>[\s\S]*\n<\/plist>$/);
});

it('takes the clients of this version from this Landfall', () => {
  for (const [variant, name] of Object.entries({
    page: 'web',
    node: 'node',
    expo: 'react-native',
    bare: 'react-native',
  })) {
    const manifest = readFileSync(path.join(root, `clients/javascript/${name}/package.json`), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    const file = `/landfall-${name === 'react-native' ? '{client,react-native}' : name}-${version}.tgz`;
    expect(filled(variant as Variant)).toContain(`npm pack ${values.api}/clients${file} && npm install .${file}`);
  }
});

it('asks for the permission to show pushes', () => {
  for (const variant of ['swiftui', 'uikit'] as const) expect(filled(variant)).toContain('.requestAuthorization(');
  // In the manifest and at the start.
  expect(filled('kotlin').match(/permission\.POST_NOTIFICATIONS/g)).toHaveLength(2);
  for (const variant of ['expo', 'bare'] as const) expect(filled(variant)).toContain('PERMISSIONS.POST_NOTIFICATIONS');
});

it('is in the image, where the web app is built', () => {
  const rules = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  const isThere = (file: string) => {
    const rule = rules.findLast((line) => {
      const pattern = line.replace(/^!/, '');
      return path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`);
    });
    return rule?.startsWith('!') === true;
  };
  expect(isThere('CHANGELOG.md')).toBe(false);
  expect(filesOfCode.filter((file) => !isThere(file))).toEqual([]);
});
