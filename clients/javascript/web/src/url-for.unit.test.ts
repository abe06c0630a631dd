import { expect, it } from 'vitest';
import { urlFor } from './url-for.ts';

const IPHONE = {
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Safari/604.1',
  maxTouchPoints: 5,
};
const MAC = { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', maxTouchPoints: 0 };
const link = 'https://go.shop.example/1763737445000-abc?a=%2F&qr';
const openHost = 'open-shop.links.example';

it('is on the open host on a phone, and the link itself on a computer', () => {
  expect(urlFor({ link, openHost }, IPHONE, '')).toBe('https://open-shop.links.example/1763737445000-abc?a=%2F&qr');
  expect(urlFor({ link, openHost }, MAC, '')).toBe(link);
  expect(urlFor({ link }, IPHONE, '')).toBe(link);
});

it('takes the campaign of the page along if asked, and leaves that of the link', () => {
  const search = '?utm_source=page&utm_term=%C3%BC&gclid=1&x_utm_y=2&utm_medium=mail';
  expect(urlFor({ link, utm: true }, MAC, search)).toBe(`${link}&utm_source=page&utm_term=%C3%BC&utm_medium=mail`);
  expect(urlFor({ link: `${link}&utm_source=own`, utm: true }, MAC, '?utm_source=page')).toBe(`${link}&utm_source=own`);
  expect(urlFor({ link: 'https://go.shop.example/a', utm: true }, MAC, '')).toBe('https://go.shop.example/a');
  expect(urlFor({ link }, MAC, search)).toBe(link);
});

it.each(['https://open-shop.links.example', 'open-shop.links.example/', '//a'])('refuses the open host %j', (wrong) => {
  for (const browser of [IPHONE, MAC]) expect(() => urlFor({ link, openHost: wrong }, browser, '')).toThrow('openHost');
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'shop://a', '/a', ''])('refuses the link %j', (wrong) => {
  expect(() => urlFor({ link: wrong }, MAC, '')).toThrow(new TypeError('`link` must begin with https://'));
});
