import { expect, it } from 'vitest';
import withLandfall from './plugin.ts';

const hosts = ['shop.links.example', 'open-shop.links.example'];
const filter = {
  action: 'VIEW',
  autoVerify: true,
  data: [
    { scheme: 'https', host: 'shop.links.example' },
    { scheme: 'https', host: 'open-shop.links.example' },
  ],
  category: ['BROWSABLE', 'DEFAULT'],
};
const domains = ['applinks:shop.links.example', 'applinks:open-shop.links.example'];

it('adds the hosts to an empty configuration', () => {
  expect(withLandfall({}, { hosts })).toEqual({
    ios: { associatedDomains: domains },
    android: { intentFilters: [filter] },
  });
});

it('keeps what is there, and adds nothing twice', () => {
  const own = { action: 'VIEW', data: [{ scheme: 'shop' }] };
  const config = {
    name: 'Shop',
    ios: { bundleIdentifier: 'com.example.shop', associatedDomains: ['webcredentials:shop.example', domains[0]!] },
    android: { package: 'com.example.shop', intentFilters: [own] },
  };
  const once = withLandfall(config, { hosts });
  expect(once).toEqual({
    name: 'Shop',
    ios: { bundleIdentifier: 'com.example.shop', associatedDomains: ['webcredentials:shop.example', ...domains] },
    android: { package: 'com.example.shop', intentFilters: [own, filter] },
  });
  expect(withLandfall(once, { hosts })).toEqual(once);
});

it.each([undefined, { hosts: [] }, { hosts: ['https://shop.links.example'] }, { hosts: 'shop.links.example' }])(
  'says what is wrong with %o',
  (options) => {
    expect(() => withLandfall({}, options as never)).toThrow('needs hosts');
  },
);
