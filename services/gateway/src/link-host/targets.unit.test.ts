import { destination, type Link } from '@landfall/contracts';
import { aLink, anApp } from '@landfall/contracts/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTS, LINK_URL, OPEN_URL } from './samples.testing.ts';
import { type TargetInput, targetsOf } from './targets.ts';

const storeUrl = (name: 'apple' | 'huawei' | 'amazon', input: TargetInput) => targetsOf(input, null).store(name);

const urls = { hosts: HOSTS, tappedQuery: '' };

/** Returns the referrer as Play gives it to the app. */
function referrerOf(url: string | null): [string, string][] {
  return [...new URLSearchParams(new URL(url ?? '').searchParams.get('referrer') ?? '')];
}

describe('the web page', () => {
  const join = (webFallbackUrl: string | null, to: string) =>
    targetsOf({ app: anApp({ webFallbackUrl }), link: aLink({ destination: to }), ...urls }, null).web();

  it.each([
    ['https://shop.example/app', '/product/1?x=2', 'https://shop.example/app/product/1?x=2'],
    ['https://shop.example/app/', '/product/1', 'https://shop.example/app/product/1'],
    ['https://shop.example', '/product/1', 'https://shop.example/product/1'],
    ['https://shop.example/app', '/', 'https://shop.example/app'],
    ['https://shop.example/app', '/?x=2', 'https://shop.example/app?x=2'],
    ['https://shop.example/app?from=link', '/p?x=2', 'https://shop.example/app/p?from=link&x=2'],
    ['https://shop.example/app?from=link&x=1', '/p?x=2&x=3', 'https://shop.example/app/p?from=link&x=2&x=3'],
    ['https://shop.example/app#top', '/p', 'https://shop.example/app/p#top'],
    ['https://shop.example/app#top', '/p?x=2#down', 'https://shop.example/app/p?x=2#down'],
    ['https://shop.example/app', '/p#a?b', 'https://shop.example/app/p#a?b'],
    ['https://shop.example/app', '/p??x', 'https://shop.example/app/p??x'],
    ['https://shop.example/app', '/../../x', 'https://shop.example/app/x'],
    ['https://shop.example/app', '/%2e%2e/x', 'https://shop.example/app/x'],
    ['https://shop.example/app', '/a/..//evil.example/x', 'https://shop.example/app//evil.example/x'],
    ['https://shop.example', '/a/..//evil.example/x', 'https://shop.example//evil.example/x'],
    ['https://shop.example/app', '/caf\u00e9?q=\u00fc', 'https://shop.example/app/caf%C3%A9?q=%C3%BC'],
    ['http://shop.example:8080/app', '/p', 'http://shop.example:8080/app/p'],
    // Pages that keep their path in the fragment.
    ['https://shop.example/#/', '/x?y=1', 'https://shop.example/#/x?y=1'],
    ['https://shop.example/#!/', '/x?y=1#z', 'https://shop.example/#!/x?y=1#z'],
    ['https://shop.example/app/#/', '/x', 'https://shop.example/app/#/x'],
    ['https://shop.example/app/?a=1#/home/?b=2&y=3', '/x?y=1', 'https://shop.example/app/?a=1#/home/x?b=2&y=1'],
    ['https://shop.example/#/', '/', 'https://shop.example/#/'],
    ['https://shop.example/#/home', '/../../x', 'https://shop.example/#/home/x'],
    ['https://shop.example/#a/b', '/x', 'https://shop.example/x#a/b'],
  ])('%s with %s', (fallback, to, expected) => {
    expect(join(fallback, to)).toBe(expected);
  });

  const tapped = (tappedQuery: string, webFallbackUrl: string, metadata: Link['metadata'] = {}, to = '/p?x=2') =>
    targetsOf(
      { app: anApp({ webFallbackUrl }), link: aLink({ destination: to, metadata }), hosts: HOSTS, tappedQuery },
      null,
    ).web();

  it('gets what was appended to the tapped URL, and the campaign of the metadata', () => {
    expect(tapped('?utm_source=mail&gclid=a%20b&y=%zz&lf_touch=0&lf_click=forged&qr', 'https://shop.example')).toBe(
      'https://shop.example/p?x=2&utm_source=mail&gclid=a%20b&y=%zz',
    );
    expect(tapped('', 'https://shop.example', { utm_campaign: 'a b', inviter: 'ann' })).toBe(
      'https://shop.example/p?x=2&utm_campaign=a+b',
    );
    expect(tapped('utm_source=mail', 'https://shop.example/?a=1#/', { utm_id: 'i' })).toBe(
      'https://shop.example/?a=1&utm_source=mail#/p?x=2&utm_id=i',
    );
  });

  it('is never changed in what it names already', () => {
    const own = 'https://shop.example/p?from=web&utm_source=link&x=2&utm_campaign=may';
    const metadata = { utm_campaign: 'may' };
    for (const query of ['from=9', 'utm_source=9', 'utm_campaign=9', 'x=9', 'X=9', '%78=9', 'utm%5Fcampaign=9'])
      expect(tapped(query, 'https://shop.example/?from=web&utm_source=link', metadata), query).toBe(own);
    expect(tapped('x=9&utm_id=9', 'https://shop.example/#/', { utm_id: 'i' })).toBe(
      'https://shop.example/#/p?x=2&utm_id=i',
    );
  });

  it('is null without a fallback, and never on the own hosts of the app', () => {
    expect(join(null, '/p')).toBeNull();
    expect(join(LINK_URL, '/p')).toBeNull();
    expect(join(OPEN_URL, '/p')).toBeNull();
  });

  it('stays below the fallback for every destination', () => {
    const pieces = ['/', '//', '..', '.', '%2e', '%2F', '?', '#', '@', ':', 'a', 'evil.example', '\u3002', ' '];
    const tails = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((p) => p.join('')),
    );
    const accepted = tails.map((tail) => `/${tail}`).filter((to) => destination().safeParse(to).success);
    const own = ['https://shop.example', 'https://shop.example/app', 'http://shop.example:81/a/?b=1#c'];
    fc.assert(
      fc.property(fc.constantFrom(...own), accepted, (fallback, to) => {
        const joined = new URL(join(fallback, to) ?? '');
        expect(joined.origin).toBe(new URL(fallback).origin);
        expect(`${joined.pathname}/`.startsWith(new URL(fallback).pathname)).toBe(true);
        expect(joined.username + joined.password).toBe('');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the pages of a link of its own', () => {
  const own = {
    webUrl: 'https://other.example/a?x=1&utm_source=old#top',
    iosUrl: 'https://apps.apple.com/app/id1?ppid=2',
    androidUrl: 'https://play.google.com/store/apps/details?id=a.b&listing=x',
  };
  const of = (link: Partial<Link>, tappedQuery = '') =>
    targetsOf(
      { app: anApp(), link: aLink({ destination: '/p?utm_source=mail&z=1', ...link }), ...urls, tappedQuery },
      'T',
    );

  it('stand in for those of the app', () => {
    const targets = of(own);
    expect(targets.web()).toBe('https://other.example/a?x=1&utm_source=mail#top');
    expect(targets.store('apple')).toBe(own.iosUrl);
    expect(targets.store('play')).toMatch(
      /^https:\/\/play\.google\.com\/store\/apps\/details\?id=a\.b&listing=x&referrer=/,
    );
    expect(referrerOf(targets.store('play'))).toEqual([
      ['lf_click', 'T'],
      ['utm_source', 'mail'],
    ]);
    expect(of({ androidUrl: 'https://other.example/get' }).store('play')).toBe('https://other.example/get');
  });

  it('get what was appended to the tapped URL, and nothing that they name already', () => {
    expect(of(own, '?x=2&gclid=g').web()).toBe('https://other.example/a?x=1&utm_source=mail&gclid=g#top');
  });

  it('are those of the app when they would lead back to it', () => {
    const back = of({ webUrl: LINK_URL, iosUrl: OPEN_URL, androidUrl: LINK_URL });
    const plain = of({});
    expect([back.web(), back.store('apple'), back.store('play')]).toEqual([
      plain.web(),
      plain.store('apple'),
      plain.store('play'),
    ]);
  });
});

describe('the page in Play', () => {
  const play = (destinationPath: string, metadata: object, token: string | null = 'tok.en', android: object = {}) =>
    targetsOf(
      { app: anApp({ android }), link: aLink({ destination: destinationPath, metadata: { ...metadata } }), ...urls },
      token,
    ).store('play');

  it('names the tap and the campaign', () => {
    expect(play('/p?utm_source=mail&x=1', { utm_medium: 'invite', utm_source: 'other', other: 'no' })).toBe(
      'https://play.google.com/store/apps/details?id=com.example.shop' +
        '&referrer=lf_click%3Dtok.en%26utm_source%3Dmail%26utm_medium%3Dinvite',
    );
  });

  it('names no tap without a token', () => {
    expect(play('/p', {}, null)).toBe('https://play.google.com/store/apps/details?id=com.example.shop');
    expect(play('/p?utm_source=a', {}, null)).toContain('&referrer=utm_source%3Da');
  });

  it('passes all characters on', () => {
    const awkward = 'a b&c=d%20+\u00fc"<\ud800';
    expect(referrerOf(play('/p', { utm_source: awkward }))).toEqual([
      ['lf_click', 'tok.en'],
      ['utm_source', awkward.toWellFormed()],
    ]);
  });

  it("adds the referrer to the app's own Play page, and keeps the owner's", () => {
    const own = play('/p?utm_source=mail', {}, 'tok.en', {
      storeUrl:
        'https://play.google.com/store/apps/details?id=com.other&hl=de&referrer=utm_source%3Downer%26campaign%3Dc1#x',
    });
    expect(own).toMatch(/^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.other&hl=de&referrer=/);
    expect(referrerOf(own)).toEqual([
      ['lf_click', 'tok.en'],
      ['utm_source', 'mail'],
      ['campaign', 'c1'],
    ]);
  });

  it("does not change another page of the app's own", () => {
    const storeUrl = 'https://shop.example/android';
    expect(play('/p?utm_source=mail', {}, 'tok.en', { storeUrl })).toBe(storeUrl);
    expect(play('/p', {}, 'tok.en', { storeUrl: 'https://play.google.com.evil.example/x' })).not.toContain('referrer');
  });

  it('is null without a package, and never on the own hosts of the app', () => {
    expect(play('/p', {}, 'tok.en', { package: null })).toBeNull();
    expect(play('/p', {}, 'tok.en', { package: null, storeUrl: OPEN_URL })).toBeNull();
  });

  const tapped = (
    tappedQuery: string,
    metadata: object = {},
    publishedParameters: string[] = [],
    android: object = {},
  ) =>
    referrerOf(
      targetsOf(
        {
          app: { ...anApp({ android }), publishedParameters },
          link: aLink({ destination: '/p', metadata: { ...metadata } }),
          hosts: HOSTS,
          tappedQuery,
        },
        'tok.en',
      ).store('play'),
    ).slice(1);

  it('gets what events publish of the tapped query, and nothing else of it', () => {
    const query = '?email=a@b.example&gclid=1&utm_term=%20t+u&utm_source=mail&table=7&lf_click=forged';
    const campaign = [
      ['utm_source', 'mail'],
      ['utm_term', 't u'],
      ['gclid', '1'],
    ];
    expect(tapped(query)).toEqual(campaign);
    expect(tapped(query, {}, ['table', 'lf_click'])).toEqual([...campaign, ['table', '7']]);
  });

  it('gets no tapped value for what the link or the owner names', () => {
    const storeUrl = 'https://play.google.com/store/apps/details?id=com.other&referrer=utm_medium%3Downer';
    expect(tapped('utm_source=9&utm_medium=9&utm_id=9', { utm_source: 'link' }, [], { storeUrl })).toEqual([
      ['utm_source', 'link'],
      ['utm_id', '9'],
      ['utm_medium', 'owner'],
    ]);
  });

  it('stays below 2,000 characters and always names the tap', () => {
    const long = fc.string({ unit: 'binary', maxLength: 600 });
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^utm_[a-z]{1,20}$/), long, { maxKeys: 20 }), (metadata) => {
        const url = play('/p', metadata);
        expect(url?.length).toBeLessThan(2_000);
        expect(referrerOf(url)[0]).toEqual(['lf_click', 'tok.en']);
      }),
    );
    expect(play('/p', { utm_source: 'x'.repeat(3_000) }, null)?.length).toBeLessThan(2_000);
  });

  it('drops unusual parameters first', () => {
    const url = play('/p', { utm_aaa: 'x'.repeat(1_000), utm_source: 'y'.repeat(1_000) });
    expect(referrerOf(url).map(([name]) => name)).toEqual(['lf_click', 'utm_source']);
  });
});

describe('the other stores', () => {
  const of = (ios: object, android: object = {}) => ({ app: anApp({ ios, android }), link: aLink(), ...urls });

  it('is the App Store page, or the page that the app has instead', () => {
    expect(storeUrl('apple', of({}))).toBe('https://apps.apple.com/app/id1234567890');
    expect(storeUrl('apple', of({ storeUrl: 'https://testflight.apple.com/join/x' }))).toBe(
      'https://testflight.apple.com/join/x',
    );
    expect(storeUrl('apple', of({ storeId: null }))).toBeNull();
    expect(storeUrl('apple', of({ storeId: null, storeUrl: `${LINK_URL}/again` }))).toBeNull();
  });

  it("is only the app's own URL for Huawei and Amazon", () => {
    expect(storeUrl('huawei', of({}))).toBeNull();
    expect(storeUrl('amazon', of({}))).toBeNull();
    const own = of(
      {},
      { huaweiStoreUrl: 'https://appgallery.huawei.com/app/C1', amazonStoreUrl: 'https://www.amazon.com/dp/B1' },
    );
    expect(storeUrl('huawei', own)).toBe('https://appgallery.huawei.com/app/C1');
    expect(storeUrl('amazon', own)).toBe('https://www.amazon.com/dp/B1');
  });
});
