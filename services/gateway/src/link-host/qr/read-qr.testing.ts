// Reads a QR code with a decoder that has nothing in common with the encoder.
import { BinaryBitmap, HybridBinarizer, QRCodeReader, RGBLuminanceSource } from '@zxing/library';
import sharp from 'sharp';

/** 2 cm at 150 dots per inch. */
export const TWO_CM = 118;

/**
 * Returns the text of the code.
 * @param image an SVG or a PNG
 * @param pixels the width at which a scanner sees the image
 */
export async function readQr(image: string | Buffer, pixels: number): Promise<string> {
  const { data, info } = await sharp(Buffer.from(image))
    .resize(pixels, pixels, { kernel: 'linear' })
    .flatten({ background: '#ffffff' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const source = new RGBLuminanceSource(new Uint8ClampedArray(data), info.width, info.height);
  return new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(source))).getText();
}

/** A square PNG without any light part, so that it hides the modules below it. */
export async function aLogo(): Promise<string> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c81e5a' } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
