// Reads a QR code with a decoder that has nothing in common with the encoder: ZXing-C++.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** 2 cm at 150 dots per inch. */
export const TWO_CM = 118;
/** Dots per inch at which an SVG is drawn before a scanner sees it, so that its modules have sharp edges. */
const DENSITY = 1_200;

prepareZXingModule({
  overrides: { wasmBinary: readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer },
});

/**
 * Returns the text of the code.
 * @param image an SVG or a PNG
 * @param pixels the width at which a scanner sees the image
 */
export async function readQr(image: string | Buffer, pixels: number): Promise<string> {
  const seen = await sharp(Buffer.from(image), { density: DENSITY })
    .resize(pixels, pixels, { kernel: 'linear' })
    .flatten({ background: '#ffffff' })
    .grayscale()
    .png()
    .toBuffer();
  const found = await readBarcodes(seen, { formats: ['QRCode'] });
  if (found.length !== 1) throw new Error(`${found.length} codes are seen in the image`);
  return found[0]!.text;
}

/** A square PNG of one colour, which hides the modules below it. Decoders take a middle tone for both dark and light. */
export async function aLogo(background = '#c81e5a'): Promise<string> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
