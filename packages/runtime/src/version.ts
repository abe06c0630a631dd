// The version of the product.
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** The version in the root's package.json, e.g. `0.1.0`. */
export const productVersion: string = version;
