// Every page on a link host, as data.
import type { App } from '@landfall/contracts';
import type { Exit } from '../exits/exits.ts';
import type { StoreLink } from '../targets.ts';

/** The part of the app that a page shows. */
export type Shown = Pick<App, 'name' | 'branding'>;

/** The preview in a message or a feed. */
export type Social = { title: string; description: string | null; imageUrl: string | null; url: string };

/** Safari's banner at the top of the page. It opens the app with the argument, or its page in the App Store. */
export type Banner = { appId: string; argument: string; appClipBundleId: string | null };

/** The ways into the app, to the stores and to the web. */
export type Ways = {
  openUrl: string;
  stores: readonly StoreLink[];
  webUrl: string | null;
  /** The link that the button to the only store copies. */
  copied?: string | null;
};

export type Page =
  | ({ kind: 'choose'; app: Shown; banner: Banner | null; social: Social } & Ways)
  | ({
      kind: 'in-app';
      app: Shown;
      inApp: string | null;
      platform: 'ios' | 'android';
      banner: Banner | null;
      exit: Exit | null;
    } & Ways)
  | { kind: 'desktop'; app: Shown; linkUrl: string; stores: readonly StoreLink[]; social: Social }
  | { kind: 'ask-touch'; app: Shown; touchUrl: string; otherUrl: string }
  | ({ kind: 'preview'; app: Shown; social: Social } & Ways)
  | { kind: 'gone'; app: Shown }
  | { kind: 'unknown-link'; app: Shown }
  | { kind: 'unknown-host' }
  | { kind: 'method-not-allowed' }
  | { kind: 'busy' };

const STATUS: Partial<Record<Page['kind'], number>> = {
  gone: 410,
  'unknown-link': 404,
  'unknown-host': 404,
  'method-not-allowed': 405,
  busy: 503,
};

/** Returns the status of a page. 405 also needs `Allow`, 503 `Retry-After`. */
export const statusOf = ({ kind }: Page): number => STATUS[kind] ?? 200;
