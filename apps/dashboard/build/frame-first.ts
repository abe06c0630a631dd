import type { Plugin } from 'vite';

const STYLES = /\n?\s*<link rel="stylesheet"[^>]*>/g;
const PLACE = '<!-- styles -->';

/**
 * Moves the styles below the frame that index.html has of its own: the browser shows it while they are loaded. They stand
 * above the app, whose own variables count more.
 */
export const frameFirst = (): Plugin => ({
  name: 'frame-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    // The page of a share has no such place.
    handler: (html) =>
      html.includes(PLACE) ? html.replace(STYLES, '').replace(PLACE, (html.match(STYLES) ?? []).join('').trim()) : html,
  },
});
