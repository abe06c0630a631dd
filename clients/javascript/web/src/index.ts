// Landfall for web pages. No key is in the page.
export { type Banner, type BannerOptions, banner } from './banner.ts';
export type { Platform } from './device.ts';
export { LandfallError, type ResolvedLink, type ResolveOptions, resolve } from './resolve.ts';
export { type LinkOptions, openIn, urlFor } from './url-for.ts';
