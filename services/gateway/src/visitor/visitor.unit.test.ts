import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asTold, classifyVisitor } from './visitor.ts';
import { examples } from './visitor-examples.testing.ts';

const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';
const macintosh =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0 Safari/605.1.15';
const twitterbot = 'Twitterbot/1.0';

describe('classifyVisitor', () => {
  for (const [title, expected, ...userAgents] of examples) {
    it.each(userAgents)(`${title}: %s`, (userAgent) => {
      expect(classifyVisitor({ 'user-agent': userAgent })).toMatchObject(expected);
    });
  }

  it('has no user agent twice', () => {
    const all = examples.flatMap(([, , ...userAgents]) => userAgents);
    expect(all.length).toBe(new Set(all).size);
    expect(all.length).toBeGreaterThan(150);
  });

  it('knows nothing of an empty user agent', () => {
    const nobody = { kind: 'unknown', platform: 'unknown', inApp: null, store: null, maybeTablet: false };
    expect(classifyVisitor({})).toEqual(nobody);
    expect(classifyVisitor({ 'user-agent': '' })).toEqual(nobody);
  });

  it.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'sec-purpose': 'prefetch;anonymous-client-ip' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ])('is a prefetch: %o', (headers) => {
    expect(classifyVisitor({ 'user-agent': android, ...headers }).kind).toBe('prefetch');
  });

  it('is no prefetch for another purpose', () => {
    expect(classifyVisitor({ 'user-agent': android, purpose: 'navigate' }).kind).toBe('person');
  });

  it('leaves a bot its preview, with any other headers', () => {
    expect(classifyVisitor({ 'user-agent': twitterbot, purpose: 'prefetch' }).kind).toBe('bot');
  });

  it('never throws and always answers in its own words', () => {
    const words = ['Mozilla/5.0 (', 'Android 9; ', 'iPhone', 'Macintosh', 'bot', ' Build/', ';', ')', 'a'];
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 400 }).map((w) => w.join('')),
    );
    fc.assert(
      fc.property(anything, anything, (userAgent, purpose) => {
        const visitor = classifyVisitor({ 'user-agent': userAgent, 'sec-purpose': purpose });
        expect(['person', 'bot', 'prefetch', 'unknown']).toContain(visitor.kind);
        expect(['ios', 'android', 'desktop', 'unknown']).toContain(visitor.platform);
        if (visitor.platform === 'desktop' || visitor.platform === 'unknown') {
          expect(visitor).toMatchObject({ inApp: null, store: null });
        }
      }),
    );
  });

  it('reads the first 1,024 characters', () => {
    const padded = (length: number) => classifyVisitor({ 'user-agent': `${android.padEnd(length)}Googlebot` }).kind;
    expect([padded(1_015), padded(1_016)]).toEqual(['bot', 'person']);
  });

  it('is not slower for hostile user agents', () => {
    const pieces = ['a', ' ', '(', '; ', 'a/', 'Android 9; a', 'Macintosh', 'X11; Linux', '@a', '1.', 'Mozilla/5.0 ('];
    const startedAt = performance.now();
    for (const piece of pieces) classifyVisitor({ 'user-agent': `Mozilla/5.0 (Linux; ${piece.repeat(20_000)}` });
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('asTold', () => {
  const visitor = classifyVisitor({ 'user-agent': macintosh });

  it('makes a Macintosh with touch an iPad', () => {
    expect(asTold(visitor, '?utm_source=x&lf_touch=1')).toMatchObject({
      platform: 'ios',
      store: 'apple',
      maybeTablet: false,
    });
  });
  it('makes a Macintosh without touch a computer', () => {
    expect(asTold(visitor, 'lf_touch=0')).toMatchObject({ platform: 'desktop', store: null, maybeTablet: false });
  });
  it('stays undecided until the page has reported', () => {
    expect(asTold(visitor, '?lf_touch=2')).toBe(visitor);
    expect(asTold(visitor, '')).toBe(visitor);
  });
  it('ignores the parameter for all others', () => {
    const phone = classifyVisitor({ 'user-agent': android });
    expect(asTold(phone, '?lf_touch=1')).toBe(phone);
  });
});
