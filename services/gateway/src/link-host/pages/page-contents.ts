// The words and buttons of each page.
import type { Language } from '../languages/languages.ts';
import { buttons, exitButton, storeWays, type Ways, waysOf } from './buttons.ts';
import { fill, fillTitle } from './fill.ts';
import { bannerTag, socialTags } from './head-tags.ts';
import { type Html, html } from './html.ts';
import type { Page, Shown } from './page.ts';
import type { PageContent } from './page-layout.ts';
import { pageQr } from './page-qr.ts';
import { ASK_TOUCH, COPY_LINK, SHOW_MENU, SHOW_MENU_AND_COPY } from './page-scripts.ts';

export function contentOf(page: Page, { texts }: Language): PageContent {
  switch (page.kind) {
    case 'choose':
      return {
        ...openIn(page.app),
        head: html`${bannerTag(page.banner)}${socialTags(page.social, page.app.name)}`,
        body: [
          paragraph(page.stores.length === 0 ? texts.leadsIntoApp : `${texts.leadsIntoApp} ${texts.getAppFirst}`),
          buttons(waysOf(page, texts)),
          ...copyNote(page),
        ],
        script: copies(page) ? COPY_LINK : null,
      };
    case 'in-app': {
      const exit = exitButton(page.exit, texts);
      return {
        ...openIn(page.app),
        head: bannerTag(page.banner),
        body: [
          paragraph(page.inApp === null ? texts.insideAnother : fill(texts.inside, { app: page.inApp })),
          buttons(waysOf(page, texts), exit),
          ...copyNote(page),
          html`<p class="note" id="menu" tabindex="-1">${fill(texts.useMenu, {
            first: bold(fillTitle(texts.openInNamed, { browser: page.platform === 'ios' ? 'Safari' : 'Chrome' })),
            second: bold(texts.openInBrowser),
          })}</p>`,
        ],
        reports: exit !== null,
        script: scriptInApp(exit !== null && page.exit?.mayFail === true, copies(page)),
      };
    }
    case 'desktop':
      return {
        ...openIn(page.app),
        head: socialTags(page.social, page.app.name),
        heading: fill(texts.opensInApp, { app: page.app.name }),
        body: [
          paragraph(texts.scanOrOpen),
          pageQr(page.linkUrl, texts.qrCode),
          html`<p class="link" dir="ltr">${page.linkUrl}</p>`,
          buttons(storeWays(page.stores, texts)),
        ],
      };
    case 'ask-touch':
      return {
        ...openIn(page.app),
        heading: html`<bdi>${page.app.name}</bdi>`,
        body: [
          paragraph(texts.whereOpening),
          buttons([
            { id: 'touch', label: texts.onIpad, url: page.touchUrl },
            { id: 'other', label: texts.onComputer, url: page.otherUrl },
          ]),
        ],
        script: ASK_TOUCH,
      };
    case 'preview': {
      const { title, description } = page.social;
      return {
        title,
        head: socialTags(page.social, page.app.name),
        app: page.app,
        heading: html`<bdi>${title}</bdi>`,
        body: [description === null ? null : html`<p dir="auto">${description}</p>`, buttons(waysOf(page, texts))],
      };
    }
    case 'gone':
      return sorry(page.app, texts.linkEnded, texts.linkEndedWhy);
    case 'unknown-link':
      return sorry(page.app, texts.noSuchLink, texts.noSuchLinkWhy);
    case 'unknown-host':
      return sorry(null, texts.nothingHere, texts.nothingHereWhy);
    case 'method-not-allowed':
      return sorry(null, texts.notPossible, texts.notPossibleWhy);
    case 'busy':
      return sorry(
        null,
        texts.oneMoment,
        texts.oneMomentWhy,
        html`<ul><li><a class="button" href="">${texts.tryAgain}</a></li></ul>`,
      );
  }

  function copyNote(page: Copying): Html[] {
    return copies(page) ? [html`<p class="note">${texts.copiesLink}</p>`] : [];
  }

  function openIn(app: Shown) {
    return {
      title: fillTitle(texts.openInApp, { app: app.name }),
      app,
      heading: fill(texts.openInApp, { app: app.name }),
      sentence: app.branding.sentence,
    };
  }
}

type Copying = Pick<Ways, 'copied' | 'stores'>;

/** Only the button to a single store copies. */
const copies = ({ copied = null, stores }: Copying): boolean => copied !== null && stores.length === 1;

function scriptInApp(showsMenu: boolean, copies: boolean): Html | null {
  if (showsMenu) return copies ? SHOW_MENU_AND_COPY : SHOW_MENU;
  return copies ? COPY_LINK : null;
}

const paragraph = (text: string | Html): Html => html`<p>${text}</p>`;

const bold = (text: string): Html => html`<b>${text}</b>`;

const sorry = (app: Shown | null, heading: string, why: string, more: Html | null = null): PageContent => ({
  title: heading,
  app,
  heading: html`${heading}`,
  body: [paragraph(why), more],
});
