import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contrastOf, ERROR_CORRECTION, layoutOf, type QrShape, type SvgOptions, qrSvg as svgOf } from './qr-code.ts';
import { aLogo, readQr, TWO_CM } from './read-qr.testing.ts';

type QrOptions = Omit<QrShape, 'logo'> & SvgOptions;
const qrSvg = (text: string, options: QrOptions = {}) =>
  svgOf(layoutOf(text, { ...options, logo: options.logo !== undefined }), options);

const LINK = 'https://shop.links.example.com/1763737445000-abcdefghijkl?qr';
const LONG = `https://shop.links.example.com/${'a'.repeat(100)}?qr`;

describe('a QR code of 2 cm', () => {
  it.each<[string, QrOptions]>([
    ['as it is', {}],
    ['in colour', { color: '#0b3d91', background: '#fff4d6' }],
    ['with a size', { size: 300 }],
    ...ERROR_CORRECTION.map((errorCorrection): [string, QrOptions] => [
      `with error correction ${errorCorrection}`,
      { errorCorrection },
    ]),
  ])('is read: %s', async (_, options) => {
    expect(await readQr(qrSvg(LINK, options), TWO_CM)).toBe(LINK);
  });

  it.each(['#000000', '#404040', '#c81e5a', '#808080', '#ffffff'])('is read with a logo of %s', async (tone) => {
    const svg = qrSvg(LINK, { logo: await aLogo(tone), color: '#0b3d91' });
    expect(svg).toContain('<image');
    expect(await readQr(svg, TWO_CM)).toBe(LINK);
    // The longest slug.
    expect(await readQr(qrSvg(LONG, { logo: await aLogo(tone) }), 2 * TWO_CM)).toBe(LONG);
  });

  it('is read at every size, whatever the slug', async () => {
    for (let n = 0; n < 12; n++) {
      const link = `https://shop.links.example.com/1763737445000-${hash('sha1', `${n}`).slice(0, 16)}?qr`;
      for (const logo of [undefined, await aLogo()])
        for (const pixels of [TWO_CM, 2 * TWO_CM, 4 * TWO_CM])
          expect(await readQr(qrSvg(link, { logo }), pixels), `${link} at ${pixels}`).toBe(link);
    }
  });
});

describe('the SVG', () => {
  it('has whole modules without gaps, a margin of 4, and no style', () => {
    const svg = qrSvg('https://a.example/b?qr');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 33 33" aria-hidden="true"/);
    expect(svg).toContain('M4 4h7v1h-7z');
    expect(svg).not.toMatch(/style|width="\d+" height/);
  });

  it('has the logo on at most 20 % of the width', async () => {
    const svg = qrSvg(LINK, { logo: await aLogo(), margin: 0 });
    const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)![1]);
    expect(Number(/<image [^>]*width="([\d.]+)"/.exec(svg)![1])).toBeLessThanOrEqual(modules * 0.2);
  });

  it('has a name for screen readers where it stands alone', () => {
    expect(qrSvg('x', { isNamed: true })).toContain(' role="img"><title>QR code</title><path');
  });

  it('holds 1,270 bytes with a logo, and refuses more', async () => {
    const logo = await aLogo();
    expect(() => qrSvg('x'.repeat(1_270), { logo })).not.toThrow();
    expect(() => qrSvg('x'.repeat(1_300), { logo })).toThrow(RangeError);
  });
});

it('knows the contrast of two colours', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 1);
  expect(contrastOf('#ffffff', '#000000')).toBeLessThan(1);
});
