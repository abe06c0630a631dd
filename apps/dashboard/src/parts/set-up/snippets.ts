// Code that a developer copies: it names the hosts and the key of this app. The folder beside has it, in files of its
// languages, with place holders.

export interface Values {
  /** The origin of the API. */
  api: string;
  appId: string;
  /** The hosts of the app's links, without ports. */
  linkHost: string;
  openHost: string;
  /** The key for the app, or what stands for it. */
  key: string;
}

/** The files of each platform, by the keys of the texts that say what the code is for. */
const FILES = {
  ios: { entitlements: 'entitlements.xml', opened: 'opened.swift', restore: 'restore.swift' },
  android: { manifest: 'manifest.xml', opened: 'opened.kt', restore: 'restore.kt' },
  'react-native': { native: 'native.jsx' },
  flutter: { public: 'public.dart' },
  web: { link: 'link.html' },
  server: { create: 'create.sh', bulk: 'bulk.js' },
} as const;

export type SetUpPlatform = keyof typeof FILES;
export const PLATFORMS = Object.keys(FILES) as SetUpPlatform[];

type StepOf<Files> = Files extends unknown ? keyof Files : never;
export type Step = StepOf<(typeof FILES)[SetUpPlatform]>;

const codes = import.meta.glob<string>('./snippets/*', { query: '?raw', import: 'default', eager: true });

export const snippetsOf = (platform: SetUpPlatform, values: Values) =>
  (Object.entries(FILES[platform]) as [Step, string][]).map(([step, file]) => ({
    step,
    code: codes[`./snippets/${file}`]!.trimEnd().replace(/\{\{(\w+)\}\}/g, (_, name) => values[name as keyof Values]),
  }));
