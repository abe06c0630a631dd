/** The platforms of the set-up page, each with its kinds of apps. The first one is shown first. */
export const VARIANTS = {
  ios: ['swiftui', 'uikit'],
  android: ['kotlin'],
  'react-native': ['expo', 'bare'],
  flutter: ['flutter'],
  web: ['page'],
  server: ['node', 'curl'],
} as const;

export type SetUpPlatform = keyof typeof VARIANTS;
export type Variant = (typeof VARIANTS)[SetUpPlatform][number];

export const PLATFORMS = Object.keys(VARIANTS) as SetUpPlatform[];

export interface Values {
  /** The origin of the API. */
  api: string;
  /** The hosts of the app's links, without ports. */
  linkHost: string;
  openHost: string;
  /** The key for the app, or what stands for it. */
  key: string;
}

/** Puts the values of an app in place of those of the guides. */
export function fill(code: string, { api, linkHost, openHost, key }: Values): string {
  const values: Record<string, string> = {
    'https://api.example': api,
    'open-shop.links.example': openHost,
    'shop.links.example': linkHost,
    'ol_…': key,
  };
  return code.replace(/https:\/\/api\.example(?![\w.-])|(open-)?shop\.links\.example|ol_…/g, (text) => values[text]!);
}
