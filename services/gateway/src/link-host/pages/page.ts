// Every page on a link host, as data.
import type { App } from '@landfall/contracts';
import type { StoreLink } from '../targets.ts';
import type { ExitButton, Ways } from './buttons.ts';
import type { Banner, Social } from './head-tags.ts';

/** The part of the app that a page shows. */
export type Shown = Pick<App, 'name' | 'branding'>;

export type Page =
  | ({ kind: 'choose'; app: Shown; banner: Banner | null; social: Social } & Ways)
  | ({
      kind: 'in-app';
      app: Shown;
      inApp: string | null;
      platform: 'ios' | 'android';
      banner: Banner | null;
      exit: ExitButton | null;
    } & Ways)
  | { kind: 'desktop'; app: Shown; linkUrl: string; stores: readonly StoreLink[]; social: Social }
  | { kind: 'ask-touch'; app: Shown; touchUrl: string; otherUrl: string }
  | ({ kind: 'preview'; app: Shown; social: Social } & Ways)
  | { kind: 'gone'; app: Shown }
  | { kind: 'unknown-link'; app: Shown }
  | { kind: 'unknown-host' }
  | { kind: 'method-not-allowed' }
  | { kind: 'busy' };

/** The status of each page. 405 also needs `Allow`, 503 `Retry-After`. */
export const PAGE_STATUS = {
  choose: 200,
  'in-app': 200,
  desktop: 200,
  'ask-touch': 200,
  preview: 200,
  gone: 410,
  'unknown-link': 404,
  'unknown-host': 404,
  'method-not-allowed': 405,
  busy: 503,
} as const satisfies Record<Page['kind'], number>;
