// Files of selected links: a table with their figures, and their QR codes. Loaded when somebody wants one.
import { csvCell, MARK } from '@landfall/api-client/csv';
import { downloadZip } from 'client-zip';
import { renderSVG } from 'uqr';
import type { ListedLink, Range } from '../list/view.ts';
import { linksIn, type Selection, type Work } from './selection.ts';

/** The columns of an export before the figures. */
const COLUMNS = [
  'destination',
  'metadata',
  'expiresAt',
  'url',
  'slug',
  'createdAt',
  'archivedAt',
  'id',
  'name',
  'note',
  'tags',
  'webUrl',
  'iosUrl',
  'androidUrl',
  'expiredUrl',
  'createdBy',
] as const;

/** @param range the days of the figures, which are in the names of their columns */
export async function csvOf(selection: Selection, range: Range, work: Work): Promise<Blob> {
  const parts = [`${MARK}${[...COLUMNS, `clicks${range}`, `installs${range}`, 'lastTapAt'].join()}\r\n`];
  let done = 0;
  for await (const links of linksIn(selection, work)) {
    parts.push(...links.map((link) => `${rowOf(link).map(csvCell).join()}\r\n`));
    done += links.length;
    work.onProgress(done);
  }
  return new Blob(parts, { type: 'text/csv' });
}

function rowOf({ createdBy, tags, figures, ...link }: ListedLink): unknown[] {
  const row: Record<string, unknown> = {
    ...link,
    tags: tags.join(', '),
    createdBy: createdBy && (createdBy.name ?? createdBy.kind),
  };
  return [...COLUMNS.map((name) => row[name]), figures?.clicks, figures?.installs, figures?.lastTapAt];
}

/** @param logo the address of the logo in the middle of each code, or null */
export async function qrCodesOf(selection: Selection, logo: string | null, work: Work): Promise<Blob> {
  const image = logo === null ? null : await dataUrlOf(logo);
  const files: { name: string; input: string }[] = [];
  for await (const links of linksIn(selection, work)) {
    files.push(...links.map((link) => ({ name: `${fileNameOf(link)}.svg`, input: qrCodeOf(link.url, image) })));
    work.onProgress(files.length);
  }
  return downloadZip(files).blob();
}

async function dataUrlOf(address: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  return `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** The width of a logo in the code. The highest level of correction repairs what it hides. */
const LOGO_SHARE = 0.18;
const GAP_SHARE = 0.02;

function qrCodeOf(url: string, logo: string | null): string {
  // The mark tells a scan from a tap in the events of the link.
  const svg = renderSVG(`${url}?qr`, { ecc: logo === null ? 'M' : 'H', border: 4, pixelSize: 10 });
  if (logo === null) return svg;
  const whole = Number(/viewBox="0 0 (\d+)/.exec(svg)![1]);
  const square = (share: number) => {
    const width = whole * share;
    return `x="${(whole - width) / 2}" y="${(whole - width) / 2}" width="${width}" height="${width}"`;
  };
  const ground = `<rect ${square(LOGO_SHARE + GAP_SHARE)} fill="#ffffff"/>`;
  return svg.replace('</svg>', `${ground}<image ${square(LOGO_SHARE)} href="${logo}"/></svg>`);
}

/** `<name>-<slug>`, as the host of the link names such a file: some programs read nothing but ASCII there. */
function fileNameOf({ name, slug }: Pick<ListedLink, 'name' | 'slug'>): string {
  const plain = (name ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-+|-+$/g, '');
  return [plain, slug].filter((part) => part !== '').join('-');
}
