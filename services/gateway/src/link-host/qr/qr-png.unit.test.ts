import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ERROR_CORRECTION, layoutOf } from './qr-code.ts';
import { logoScaler } from './qr-logo.ts';
import { logoPlace, qrPng } from './qr-png.ts';
import { readQr, TWO_CM } from './read-qr.testing.ts';

const LINK = 'https://shop.links.example.com/1763737445000-abcdefghijkl?qr';
const COLORS = { color: '#0b3d91', background: '#fff4d6' };
const scale = logoScaler();

/** Returns a round logo with many colours. It is transparent around and half transparent below. */
const round = async () => ({
  hash: 'round',
  png: await sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs><path d="M8 128a120 120 0 0 1 240 0z" fill="url(#g)"/><path d="M8 128a120 120 0 0 0 240 0z" fill="#000" fill-opacity=".5"/></svg>',
    ),
  )
    .png({ palette: true })
    .toBuffer(),
});

async function drawn(size: number, shape: Parameters<typeof layoutOf>[1] = {}, colors = COLORS): Promise<Buffer> {
  const layout = layoutOf(LINK, shape);
  const place = logoPlace(layout, size);
  return qrPng(layout, { size, ...colors }, place && (await scale(await round(), place.width)));
}

/** Returns the colour of a pixel. */
async function pixel(png: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}

describe('the PNG of a code', () => {
  it.each([64, 65, 100, 118, 300, 1_999])('is read at %s pixels, at every level', async (size) => {
    for (const errorCorrection of ERROR_CORRECTION) {
      const png = await drawn(size, { errorCorrection });
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: size, height: size });
      expect(await readQr(png, size > 2 * TWO_CM ? TWO_CM : 2 * size), errorCorrection).toBe(LINK);
    }
  });

  it.each([100, 300, 2_048])('is read with a logo at %s pixels', async (size) => {
    expect(await readQr(await drawn(size, { logo: true }), size < 200 ? 2 * size : 2 * TWO_CM)).toBe(LINK);
  });

  it('has the two colours and the margin', async () => {
    const [ground, color] = [
      [0xff, 0xf4, 0xd6],
      [0x0b, 0x3d, 0x91],
    ];
    // 33 modules of 10 pixels, with a margin of 2.
    const png = await drawn(370, { margin: 2, errorCorrection: 'L' });
    expect(
      await sharp(png)
        .stats()
        .then(({ channels }) => channels.map(({ min, max }) => [min, max])),
    ).toEqual([0, 1, 2].map((i) => [Math.min(ground[i]!, color[i]!), Math.max(ground[i]!, color[i]!)]));
    expect(await pixel(png, 0, 0)).toEqual(ground);
    expect(await pixel(png, 19, 25)).toEqual(ground);
    expect(await pixel(png, 20, 20)).toEqual(color);
    expect(await pixel(png, 31, 31)).toEqual(ground);
  });

  it('shows the logo as it is, with the background behind its transparent parts', async () => {
    const layout = layoutOf(LINK, { logo: true });
    const { from, width } = logoPlace(layout, 1_024)!;
    const png = await drawn(1_024, { logo: true });
    const middle = from + Math.floor(width / 2);
    const near = (expected: number[]) => expected.map((part) => expect.closeTo(part, -1.2));
    expect(await pixel(png, from, from)).toEqual([0xff, 0xf4, 0xd6]);
    expect(await pixel(png, middle, from + Math.floor(width / 4))).toEqual(near([128, 0, 127]));
    expect(await pixel(png, middle, from + Math.floor((width * 3) / 4))).toEqual(near([127, 122, 107]));
  });

  it('is small, also at its largest size', async () => {
    expect((await drawn(2_048)).length).toBeLessThan(12_000);
    expect((await drawn(2_048, { logo: true })).length).toBeLessThan(100_000);
  });
});
