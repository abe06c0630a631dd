// Makes pages of the web app out of the guides in docs/ and of the pages of the clients. They become HTML when the app is built, so that a browser
// needs no parser for Markdown.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import type { Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '../../..');
const docs = path.join(root, 'docs');
/** The folder of the clients, below the root. Its pages have the same place below /docs. */
const CLIENTS = 'clients/';
/** The sections in the order in which they are listed. Decisions are for people who change Landfall. */
const sections: Record<string, string[]> = {
  guides: ['guides/*.md'],
  operations: ['operations.md', 'scaling.md'],
  reference: ['reference/*.md'],
  explanation: ['explanation/*.md'],
  clients: ['clients/*.md', 'clients/{kotlin,swift,vectors}/*.md', 'clients/javascript/*/*.md'],
};
const INDEX = 'README.md';

const GUIDES = 'virtual:guides';
const TEXTS = 'virtual:guide-texts';
const AS_GUIDE = '?guide';

export interface Rendered {
  title: string;
  html: string;
  headings: { id: string; text: string; level: number }[];
}

/** A part of a guide, from a heading to the next one, as the search finds it. */
export interface Passage {
  slug: string;
  title: string;
  heading: string;
  id: string;
  text: string;
}

/**
 * Adds each guide as a file of the app, for programs: `/docs/guides/people.md`. Gives the app three kinds of modules. `virtual:guides` lists the guides, each with a function that loads its page.
 * `virtual:guide-texts` holds what the search reads. `<file>.md?guide` is one page.
 */
export function guides(): Plugin {
  return {
    name: 'guides',
    resolveId(id) {
      return id === GUIDES || id === TEXTS ? `\0${id}` : null;
    },
    load(id) {
      if (id === `\0${GUIDES}`) return listModule();
      if (id === `\0${TEXTS}`) return `export default ${JSON.stringify(files().flatMap(passagesOf))};`;
      if (id.endsWith(AS_GUIDE)) {
        const file = id.slice(0, -AS_GUIDE.length);
        this.addWatchFile(file);
        return pageModule(file);
      }
      return null;
    },
    generateBundle() {
      for (const file of files()) this.emitFile({ type: 'asset', fileName: `docs/${file}`, source: served(file) });
    },
  };
}

/** Returns the files of all guides, in the order of the index. */
function files(): string[] {
  const index = read(INDEX);
  const place = (file: string): number => index.indexOf(`(${file})`);
  return Object.values(sections).flatMap((patterns) =>
    globSync(patterns, { cwd: patterns[0]!.startsWith(CLIENTS) ? root : docs, exclude: ['**/node_modules'] }).sort(
      (a, b) => place(a) - place(b) || (a < b ? -1 : 1),
    ),
  );
}

const placeOf = (file: string): string => path.join(file.startsWith(CLIENTS) ? root : docs, file);
const fileAt = (place: string): string => path.relative(docs, place).replace(/^\.\.\/(?=clients\/)/, '');
const read = (file: string): string => readFileSync(placeOf(file), 'utf8');
const slugOf = (file: string): string => (file === INDEX ? '' : file.replace(/(\/README)?\.md$/, ''));

/** A link between docs/ and clients/ is another one below /docs, which has both. */
const served = (file: string): string =>
  read(file).replace(/(?<=\]\()(?:\.\.\/)+(?:docs|clients)\/[^)#]+/g, (href) =>
    path.posix.relative(path.posix.dirname(file), linkedFrom(file, href)),
  );

const linkedFrom = (file: string, href: string): string => fileAt(path.resolve(path.dirname(placeOf(file)), href));
const sectionOf = (file: string): string =>
  Object.entries(sections).find(([, patterns]) => patterns.some((pattern) => path.matchesGlob(file, pattern)))?.[0] ??
  '';

function listModule(): string {
  const entries = files().map((file) => {
    const { title } = render(file);
    const facts = JSON.stringify({ slug: slugOf(file), section: sectionOf(file), title, about: aboutOf(file) }).slice(
      0,
      -1,
    );
    return `${facts},"load":()=>import(${JSON.stringify(placeOf(file) + AS_GUIDE)})}`;
  });
  return `export const guides=[${entries.join(',\n')}];`;
}

/** Returns what the index says of a file beside its name. Empty: it is not in the index. */
function aboutOf(file: string): string {
  const line = read(INDEX)
    .split('\n')
    .find((one) => one.startsWith('| [') && one.includes(`](${file})`));
  const about = line?.split('|')[2]?.trim() ?? '';
  return about.charAt(0).toUpperCase() + about.slice(1);
}

/** Pictures become files of the app. */
function pageModule(file: string): string {
  const { html, headings } = render(fileAt(file));
  const imports: string[] = [];
  const code = JSON.stringify(html).replace(/(src|srcset)=\\"([^"\\]+)\\"/g, (whole, attribute, source) => {
    if (/^(https?:|\/)/.test(source)) return whole;
    const picture = path.resolve(path.dirname(file), source);
    imports.push(picture);
    const size = attribute === 'src' ? sizeOf(picture) : '';
    return `${size}${attribute}=\\"" + picture${imports.length - 1} + "\\"`;
  });
  return [
    ...imports.map((source, number) => `import picture${number} from ${JSON.stringify(source)};`),
    `export const html = ${code};`,
    `export const headings = ${JSON.stringify(headings)};`,
  ].join('\n');
}

/** Returns the size of a PNG, as attributes inside of a string, so that the page does not move when it is loaded. */
function sizeOf(picture: string): string {
  if (!picture.endsWith('.png')) return '';
  const head = readFileSync(picture).subarray(16, 24);
  return `width=${head.readUInt32BE(0)} height=${head.readUInt32BE(4)} `;
}

/** Returns the address in the web app of a link in a guide. Null: it leads to a file that the web app does not show. */
function addressOf(href: string, from: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [target = '', hash] = href.split('#');
  const file = linkedFrom(from, target);
  if (file !== INDEX && sectionOf(file) === '') return null;
  return `/docs/${slugOf(file)}${hash === undefined ? '' : `#${hash}`}`.replace(/\/$/, '');
}

/** Anchors are the same as on GitHub. */
function markedFor(file: string): Marked {
  return new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const address = addressOf(href, file);
        return address === null ? inner : `<a href="${address}">${inner}</a>`;
      },
    },
  });
}

const CHARACTERS: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[a-z#\d]+;/g, (entity) => CHARACTERS[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A wide table can be scrolled with the keyboard. */
const scrollable = (table: string): string =>
  `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>`;

/** A line for people who change Landfall. Readers of the web app cannot edit a guide. */
const FOR_WRITERS = /^`npm run docs` writes .*\n/gm;

function render(file: string): Rendered {
  const html = markedFor(file).parse(read(file).replace(FOR_WRITERS, ''), { async: false });
  const headings = getHeadingList().map(({ id, text, level }) => ({ id, text: textOf(text), level }));
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? file,
    // The page shows the title itself.
    html: html
      .replace(/<h1.*?<\/h1>/, '')
      .replace(/<table>[\s\S]*?<\/table>/g, scrollable)
      .replaceAll('<pre>', '<pre tabindex="0" role="group" aria-label="Code">'),
    headings: headings.filter(({ level }) => level > 1),
  };
}

function passagesOf(file: string): Passage[] {
  const { title, html, headings } = render(file);
  const [intro = '', ...parts] = html.split(/(?=<h[2-6] id=)/);
  const slug = slugOf(file);
  return [
    { slug, title, heading: '', id: '', text: textOf(intro) },
    ...parts.map((part, number) => {
      const { id = '', text = '' } = headings[number] ?? {};
      return { slug, title, heading: text, id, text: textOf(part).slice(text.length).trim() };
    }),
  ];
}
