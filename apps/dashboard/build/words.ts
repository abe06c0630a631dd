// Prepares the words in the build. The reader of their format would be 15 KB of the first view.
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

type Words = string | { [name: string]: Words };
type Prepared = ReturnType<typeof compile> | { [name: string]: Prepared };

export function preparedWords(): Plugin {
  return {
    name: 'prepared-words',
    enforce: 'pre',
    // What formats the words then reads no format.
    config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
    transform(code, id) {
      if (!/\/src\/words\/en\.json$/.test(id)) return null;
      return { code: JSON.stringify(prepared(JSON.parse(code) as Words)), map: null };
    },
  };
}

/** Words without values stay as they are. */
const prepared = (words: Words): Prepared =>
  typeof words === 'string'
    ? compile(words)
    : Object.fromEntries(Object.entries(words).map(([name, inside]) => [name, prepared(inside)]));
