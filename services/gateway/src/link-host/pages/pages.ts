// The pages on a link host for people and preview bots.
import { ENGLISH, type Language } from '../languages/languages.ts';
import type { Banner, Social } from './head-tags.ts';
import { PAGE_STATUS, type Page } from './page.ts';
import { contentOf } from './page-contents.ts';
import { layOut, type RenderedPage } from './page-layout.ts';

export type { Banner, Page, Social };
export { PAGE_STATUS };

/**
 * Renders a page. `csp` is its Content-Security-Policy. It allows only the page's own style and script, by their
 * hashes.
 * @param language of the reader (see `languageFor`)
 */
export function renderPage(page: Page, language: Language = ENGLISH): RenderedPage {
  return layOut(contentOf(page, language), language);
}
