// The code of the set-up page. It is that of the clients' guides and of the examples, whose tests compile or run it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import type { Variant } from '../src/parts/set-up/platforms.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const MODULE = 'virtual:set-up-code';

/** A block of code in a Markdown file: the `nth` of its language below a heading. */
interface Block {
  file: string;
  heading: string;
  language: string;
  nth?: number;
}

/** A whole file, or a block of one. */
type Source = string | Block;

const SWIFT = 'clients/swift/README.md';
const KOTLIN = 'clients/kotlin/README.md';
const NATIVE = 'clients/javascript/react-native';
const FLUTTER = 'docs/guides/flutter.md';
const RECIPE = 'docs/guides/add-to-an-app.md';
const BACKEND = 'examples/invite-backend';

const entitlements: Block = { file: SWIFT, heading: 'From nothing to the first restored link', language: 'xml' };
const filter: Block = { file: RECIPE, heading: '3. Let the system open the app', language: 'xml' };
const android = { file: KOTLIN, heading: 'From nothing to the first link' };
const expo = { file: `${NATIVE}/README.md`, heading: 'From nothing to the first restored link: Expo' };
const bare = { file: `${NATIVE}/README.md`, heading: 'From nothing to the first restored link: bare React Native' };
const flutter = { file: FLUTTER, heading: 'Add the evidence' };

/** The steps of each kind of app, by the keys of the texts that say what the code is for. */
const SOURCES = {
  swiftui: { entitlements, app: { file: SWIFT, heading: 'SwiftUI', language: 'swift' } },
  uikit: { entitlements, app: { file: SWIFT, heading: 'UIKit with scenes', language: 'swift' } },
  kotlin: {
    install: { ...android, language: 'sh' },
    gradle: { ...android, language: 'kotlin' },
    manifest: { ...android, language: 'xml' },
    app: 'clients/kotlin/android/src/test/kotlin/example/ShopApp.kt',
  },
  expo: {
    install: { ...expo, language: 'sh' },
    plugin: { ...expo, language: 'json' },
    app: `${NATIVE}/test-app/guide/expo.tsx`,
  },
  bare: {
    install: { ...bare, language: 'sh' },
    filter: { ...bare, language: 'xml' },
    entitlements,
    delegate: { ...bare, language: 'swift' },
    app: `${NATIVE}/test-app/guide/bare.tsx`,
  },
  flutter: {
    install: { ...flutter, language: 'sh' },
    entitlements,
    filter,
    evidence: { ...flutter, language: 'dart' },
    use: { ...flutter, language: 'dart', nth: 1 },
  },
  page: {
    install: { file: 'clients/javascript/web/README.md', heading: '@landfall/web', language: 'sh' },
    page: 'examples/web-banner/index.html',
  },
  node: {
    install: { file: 'clients/javascript/node/README.md', heading: '@landfall/node', language: 'sh' },
    program: `${BACKEND}/first-link.mjs`,
  },
  curl: { script: `${BACKEND}/first-link.sh` },
} satisfies Record<Variant, Record<string, Source>>;

type StepOf<Steps> = Steps extends unknown ? keyof Steps : never;
export type Step = StepOf<(typeof SOURCES)[Variant]>;
export type SetUpCode = Record<Variant, { step: Step; code: string }[]>;

const steps = Object.entries(SOURCES) as [Variant, Partial<Record<Step, Source>>][];
const fileOf = (source: Source) => (typeof source === 'string' ? source : source.file);

/** The files that the code comes from, below the root of the repository. */
export const filesOfCode = [...new Set(steps.flatMap(([, sources]) => Object.values(sources).map(fileOf)))].sort();

/** Gives the app the module `virtual:set-up-code`. */
export function setUpCode(): Plugin {
  return {
    name: 'set-up-code',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      for (const file of filesOfCode) this.addWatchFile(path.join(root, file));
      return `export default ${JSON.stringify(readCode())};`;
    },
  };
}

/** @throws Error if a guide has no such block any more */
export function readCode(): SetUpCode {
  const entries = steps.map(([variant, sources]) => [
    variant,
    Object.entries(sources).map(([step, source]) => ({ step, code: codeOf(source) })),
  ]);
  return Object.fromEntries(entries);
}

function codeOf(source: Source): string {
  const text = readFileSync(path.join(root, fileOf(source)), 'utf8');
  return (typeof source === 'string' ? text : blockOf(text, source)).trimEnd();
}

/** Code may have lines that look like headings, so a block is found from fence to fence. */
function blockOf(markdown: string, { file, heading, language, nth = 0 }: Block): string {
  let below = '';
  let found = 0;
  for (const [, title, indent, kind, code] of markdown.matchAll(/^#+ (.*)$|^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)) {
    if (title !== undefined) below = title;
    else if (below === heading && kind === language && found++ === nth)
      return code!.replace(new RegExp(`^${indent}`, 'gm'), '');
  }
  throw new Error(`${file} has no such block: ${language} below "${heading}".`);
}
