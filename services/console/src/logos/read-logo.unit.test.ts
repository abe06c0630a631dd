import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LOGO_BYTES, LOGO_PIXELS, readLogo } from './read-logo.ts';

const image = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 3, background: '#c81e5a' } });

const refusalOf = async (bytes: Buffer | string) => {
  const refused = await readLogo(Buffer.from(bytes)).catch((error) => error);
  return { code: refused.code, details: refused.details };
};
const refused = (message: string) => ({ code: 'INVALID_REQUEST', details: [{ path: 'image', message }] });

describe('readLogo', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('makes a square PNG of a %s, without its metadata', async (format) => {
    const uploaded = await image(300, 100)
      .withExif({ IFD0: { Copyright: '<script>alert(1)</script>' } })
      .toFormat(format)
      .toBuffer();
    const png = await readLogo(uploaded);
    expect(png.toString('latin1')).not.toContain('script');
    const { format: found, width, height, exif } = await sharp(png).metadata();
    expect({ found, width, height, exif }).toEqual({ found: 'png', width: LOGO_PIXELS, height: LOGO_PIXELS });
  });

  it('makes less than 100 KB of the most difficult image', async () => {
    const noise = Buffer.alloc(256 * 256 * 4, 0).map(() => Math.floor(Math.random() * 256));
    const png = await sharp(noise, { raw: { width: 256, height: 256, channels: 4 } })
      .png()
      .toBuffer();
    expect((await readLogo(png)).length).toBeLessThan(100_000);
  });

  it('keeps nothing that follows the image', async () => {
    const uploaded = Buffer.concat([await image(64).png().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    expect((await readLogo(uploaded)).toString('latin1')).not.toContain('script');
  });

  const types = 'must be a PNG, a JPEG or a WebP image';
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>'],
    ['a GIF', 'GIF89a\x01\x00\x01\x00'],
    ['nothing', ''],
  ])('refuses %s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toEqual(refused(types));
  });

  it('refuses an animated WebP', async () => {
    const frames = [await image(64).png().toBuffer(), await image(64).negate().png().toBuffer()];
    const animated = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer();
    expect(await refusalOf(animated)).toEqual(refused('must not be animated'));
  });

  it('refuses a damaged file and a file that only begins like an image', async () => {
    const png = await image(64).png().toBuffer();
    const damaged = refused('cannot be decoded: the file is damaged');
    expect(await refusalOf(png.subarray(0, 60))).toEqual(damaged);
    expect(await refusalOf(Buffer.concat([png.subarray(0, 8), Buffer.from('<script>')]))).toEqual(damaged);
    const noise = Buffer.alloc(256 * 256 * 3).map(() => Math.floor(Math.random() * 256));
    const jpeg = await sharp(noise, { raw: { width: 256, height: 256, channels: 3 } })
      .jpeg()
      .toBuffer();
    expect(await refusalOf(jpeg.subarray(0, jpeg.length / 2))).toEqual(damaged);
  });

  it('refuses a small file with a very large image', async () => {
    const flat = await image(5_000).png().toBuffer();
    expect(flat.length).toBeLessThan(LOGO_BYTES);
    expect(await refusalOf(flat)).toEqual(refused('must have at most 16 million pixels'));
  });

  it('refuses an image that is too small, and a file that is too large', async () => {
    expect(await refusalOf(await image(31, 64).png().toBuffer())).toEqual(
      refused('must be at least 32 pixels wide and high'),
    );
    expect(await refusalOf(Buffer.alloc(LOGO_BYTES + 1))).toEqual(refused('must be at most 1 MB'));
  });
});
