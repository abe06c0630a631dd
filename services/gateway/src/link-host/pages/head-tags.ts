// Tags in the head of a page: for previews in messages and feeds, and for Safari's banner.
import { type Html, href, html } from './html.ts';

/** The preview in a message or a feed. */
export type Social = { title: string; description: string | null; imageUrl: string | null; url: string };

/** Safari's banner at the top of the page. It opens the app with the argument, or its page in the App Store. */
export type Banner = { appId: string; argument: string; appClipBundleId: string | null };

/** Commas separate the parts of the banner. */
export function bannerTag(banner: Banner | null): Html | null {
  const argument = banner === null ? null : href(banner.argument)?.replaceAll(',', '%2C');
  if (banner === null || argument === undefined || argument === null) return null;
  return html`<meta name="apple-itunes-app" content="app-id=${banner.appId}, ${banner.appClipBundleId === null ? null : html`app-clip-bundle-id=${banner.appClipBundleId}, app-clip-display=card, `}app-argument=${argument}">
`;
}

export function socialTags({ title, description, imageUrl, url }: Social, appName: string): Html {
  const image = imageUrl === null ? null : href(imageUrl);
  const tag = (property: string, content: string | null) =>
    content === null
      ? null
      : html`<meta property="${property}" content="${content}">
`;
  return html`${
    description === null
      ? null
      : html`<meta name="description" content="${description}">
`
  }${tag('og:type', 'website')}${tag('og:site_name', appName)}${tag('og:title', title)}${tag('og:description', description)}${tag('og:url', url)}${tag('og:image', image)}<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">
`;
}
