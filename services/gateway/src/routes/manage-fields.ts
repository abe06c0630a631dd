// Fields of the management API.
import { App, cursor, Key, Link } from '@landfall/contracts';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import { linkHost, linkUrl, openHost } from '../link-view.ts';

/** An id in a path, in any case. */
export const id = () => z.uuid().toLowerCase();

export const appParams = z.object({ appId: id() });

/** Lists are read page by page, newest first. */
export const pageQuery = z.object({
  limit: z.coerce.number<string>().int().min(1).max(100).default(50).describe('Rows a page.'),
  cursor: cursor().optional().describe('`next` of the page before.'),
});

export const next = () => cursor().nullable().describe('The cursor of the next page; null at the end.');

export const appView = App.extend({ linkHost: z.string(), openHost: z.string() });

export const viewApp = (app: App, config: GatewayConfig): z.input<typeof appView> => ({
  ...app,
  linkHost: linkHost(app, config),
  openHost: openHost(app, config),
});

export const keyView = Key.describe('A key without its plaintext, which is shown once, when it is made.');

export const linkView = Link.extend({ url: z.string() });

export const viewLink = (app: App, link: Link, config: GatewayConfig): z.input<typeof linkView> => ({
  ...link,
  url: linkUrl(app, link, config),
});
