// Splits the words by their first key, so that a page loads only the words that it shows, and prepares them. The reader of
// their format would be 15 KB of the first view.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

type Words = string | { [name: string]: Words };
type Prepared = ReturnType<typeof compile> | { [name: string]: Prepared };

const folder = path.resolve(import.meta.dirname, '../src/words');
const file = path.join(folder, 'en.json');
const MODULE = 'virtual:words/';

/**
 * Gives each module the words that it reads with `useTranslations`. They are registered before any of its components is
 * drawn. The module `virtual:words/<key>` registers those below one key of en.json.
 */
export function words(): Plugin {
  return {
    name: 'words',
    // What formats the words then reads no format.
    config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
    resolveId: (id) => (id.startsWith(MODULE) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${MODULE}`)) return null;
      this.addWatchFile(file);
      const key = id.slice(MODULE.length + 1);
      const { [key]: below } = JSON.parse(readFileSync(file, 'utf8')) as { [key: string]: Words };
      if (below === undefined) this.error(`${file} has no words below "${key}".`);
      const list = JSON.stringify(path.join(folder, 'words.ts'));
      return `import { words } from ${list};\nwords[${JSON.stringify(key)}] = ${JSON.stringify(prepared(below))};`;
    },
    transform(code, id) {
      if (!/\/src\/.*\.tsx?(?:\?|$)/.test(id)) return null;
      const calls = [...code.matchAll(/\buseTranslations\((?:\s*["']([\w]+))?/g)];
      if (calls.some(([, key]) => key === undefined)) this.error('useTranslations needs a key that is written there.');
      const keys = new Set(calls.map(([, key]) => key!));
      if (keys.size === 0) return null;
      // At the end, so that no line of the source map moves.
      return { code: [code, ...[...keys].map((key) => `import '${MODULE}${key}';`)].join('\n'), map: null };
    },
  };
}

/** Words without values stay as they are. */
const prepared = (words: Words): Prepared =>
  typeof words === 'string'
    ? compile(words)
    : Object.fromEntries(Object.entries(words).map(([name, inside]) => [name, prepared(inside)]));
