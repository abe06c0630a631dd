import { NO_UTM, nearValue, splitUtm, tidy, withUtm } from '@landfall/api-client/utm';
import { describe, expect, it } from 'vitest';
import { readDestination } from './destination.ts';

describe('the destination of a link', () => {
  const hosts = ['shop.links.example:8080', 'go.example.com'];
  const read = (text: string, webFallbackUrl: string | null = 'https://shop.example.com') =>
    readDestination(text, { webFallbackUrl, hosts });

  it.each([
    [' /sale?x=1 ', '/sale?x=1'],
    ['https://shop.example.com/sale?x=1#top', '/sale?x=1#top'],
    ['http://SHOP.example.com', '/'],
    ['shop.example.com/sale', '/sale'],
    ['shop.example.com?x=1', '/?x=1'],
  ])('of the page of the app is its path: %s', (text, destination) => {
    expect(read(text)).toEqual({ destination, webUrl: null });
  });

  it.each([
    ['https://other.example/a?b=1', '/a?b=1', 'https://other.example/a?b=1'],
    ['other.example/a', '/a', 'https://other.example/a'],
    ['https://other.example:8443//a', '/a', 'https://other.example:8443//a'],
    // The port is part of the host.
    ['https://shop.example.com:8443/a', '/a', 'https://shop.example.com:8443/a'],
  ])('of another page is its path, and the page: %s', (text, destination, webUrl) => {
    expect(read(text)).toEqual({ destination, webUrl });
  });

  it.each([
    ['https://x.example/app/sale?y', 'https://x.example/app', '/sale?y', null],
    ['https://x.example/app', 'https://x.example/app/', '/', null],
    ['https://x.example/application', 'https://x.example/app', '/application', 'https://x.example/application'],
    ['https://x.example/#!/sale?y', 'https://x.example/#!/', '/sale?y', null],
    ['https://x.example/sale', 'https://x.example/#/', '/sale', 'https://x.example/sale'],
    ['https://x.example/sale', null, '/sale', 'https://x.example/sale'],
  ])('%s with the web page %s', (text, fallback, destination, webUrl) => {
    expect(read(text, fallback)).toEqual({ destination, webUrl });
  });

  it.each([
    [' ', 'missing'],
    ['sale', 'noPath'],
    ['sale now/x', 'noPath'],
    ['myapp://sale', 'notWeb'],
    ['javascript:alert(1)', 'notWeb'],
    ['https://', 'notWeb'],
    ['http://other.example/a', 'notHttps'],
    ['https://go.example.com/abc', 'ownLink'],
    ['http://shop.links.example:8080/abc', 'ownLink'],
    [`https://other.example/${'a'.repeat(2_100)}`, 'urlTooLong'],
  ])('is refused: %s', (text, fault) => {
    expect(read(text)).toEqual({ fault });
  });
});

describe('UTM values', () => {
  it('are taken out of a destination, and the rest stays as it is', () => {
    const { rest, utm } = splitUtm(
      '/a%20b?x=%2F&utm_source=News+letter&&utm_id=5&utm_campaign=a&utm_campaign=b%26c#utm_term=x',
    );
    expect(rest).toBe('/a%20b?x=%2F&&utm_id=5#utm_term=x');
    expect(utm).toEqual({ ...NO_UTM, utm_source: 'News letter', utm_campaign: 'b&c' });
  });

  it.each(['/', '/a?', '/a?x', '/a?x=1#f', '/a#f?x'])('come back behind the query of %s', (rest) => {
    const utm = { ...NO_UTM, utm_medium: 'e mail&', utm_term: 'ü#' };
    expect(splitUtm(withUtm(rest, NO_UTM)).utm).toEqual(NO_UTM);
    expect(splitUtm(withUtm(rest, utm)).utm).toEqual(utm);
    expect(new URL(withUtm('/a?x=1#f', utm), 'https://x.example').searchParams.get('utm_medium')).toBe('e mail&');
  });

  it('are the same however a person types them', () => {
    expect(tidy('  Spring  Sale ')).toBe('spring-sale');
  });

  it('that differ in signs alone are told', () => {
    const known = ['spring_sale', 'email'];
    expect(nearValue('Spring-Sale', known)).toBe('spring_sale');
    expect(nearValue('e-mail', known)).toBe('email');
    expect(nearValue('spring_sale', known)).toBeNull();
    expect(nearValue('autumn', known)).toBeNull();
    expect(nearValue('', ['-'])).toBeNull();
  });
});
