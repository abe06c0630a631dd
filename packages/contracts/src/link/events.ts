// Events about links: made, edited, tapped, opened.
import { z } from 'zod';
import { appVersion, build, country, labels, model, Platform, UTM_LENGTH, type UtmName, utmNames } from '../client.ts';
import { eventsOf } from '../define.ts';
import { hash, instant, orNull, sealed, text, uuid } from '../fields.ts';
import { MAX_LINK_TAGS, NAME_LENGTH, tag } from './link.ts';

const { publicEvent } = eventsOf('link');
const { publicEvent: gatewayEvent } = eventsOf('gateway');

const ofLink = {
  linkId: uuid().describe('The link.'),
  appId: uuid().describe('The app that the link belongs to.'),
};
const whereItLeads = {
  slug: text(100).describe('The path of the link: `https://<host of the app>/<slug>`. Unique in the app.'),
  destination: text(2048).describe('The destination of the link inside the app: a path with its query.'),
};
const state = {
  version: z.int().describe('The number of the state of a link, from 1. The highest is the latest.'),
  labels: labels(),
  name: orNull(text(NAME_LENGTH)).describe('The name that people gave the link. Null: none.'),
  tags: z.array(tag()).max(MAX_LINK_TAGS).default([]).describe('The tags of the link, in small letters.'),
};
const address = () =>
  hash()
    .nullable()
    .describe(
      'A keyed hash of the address of the request, equal for equal addresses. Null when many strangers share the address.',
    );

export const LinkCreated = publicEvent('LinkCreated', {
  description: 'A link was created, by the API or by an SDK.',
  topic: 'link.created',
  data: z.object({ ...ofLink, ...whereItLeads, ...state }),
  key: (data) => data.linkId,
});

export const LinkEdited = publicEvent('LinkEdited', {
  description:
    'A link was changed: one of its fields changed, or it was archived or restored. The data is its state, with its labels instead of its metadata.',
  topic: 'link.edited',
  data: z.object({
    ...ofLink,
    ...whereItLeads,
    expiresAt: instant().nullable().describe('The link stops working at this time. Null: never.'),
    archivedAt: instant()
      .nullable()
      .describe('The time since which the link is archived and does not work. Null: it is not archived.'),
    ...state,
  }),
  key: (data) => data.linkId,
});

const utmValue = (name: UtmName) =>
  text(UTM_LENGTH).nullable().describe(`The value of \`utm_${name}\`. Null: there is none.`);

const utmValues = () =>
  orNull(
    z.object(
      Object.fromEntries(utmNames.map((name) => [name, utmValue(name)])) as Record<UtmName, z.ZodNullable<z.ZodString>>,
    ),
  );

/** The id of the event is the id of the tap. */
export const LinkClicked = gatewayEvent('LinkClicked', {
  description:
    'A person tapped a link and it opened in a browser. Not sent for bots, previews, prefetches, programs that name no browser, loads by pages, and what the buttons of our own pages cause. A tap that the installed app opens itself is a `LinkOpened`.',
  topic: 'link.clicked',
  data: z.object({
    ...ofLink,
    url: text(4096).describe(
      'The URL that was tapped. Its query has only `utm_*`, the click ids of known ad networks, and the parameters that the app publishes (`publishedParameters`).',
    ),
    sealedUrl: orNull(sealed('tapped url')).describe(
      'The URL with its whole query, encrypted so that only the restore can read it. Null when `url` is complete.',
    ),
    platform: z
      .enum(['ios', 'android', 'desktop', 'unknown'])
      .describe('The device of the tap, as far as the browser names it.'),
    inApp: z
      .boolean()
      .describe(
        'Opened in the browser inside another app (Facebook, Instagram, …), which starts no other app by itself.',
      ),
    deferred: z
      .boolean()
      .describe('A tap on a phone. After an install the link may be given back, in `links.restored`.'),
    address: address(),
    userAgent: hash().describe('A keyed hash of the user agent: equal for the same browser in the same version.'),
    target: orNull(z.enum(['store', 'web', 'page'])).describe(
      'The answer to the tap: sent to a store, sent to the web page of the app, or a page with buttons.',
    ),
    via: z
      .enum(['link', 'qr', 'banner'])
      .default('link')
      .describe('How the person came to the link: tapped it, scanned its QR code, or tapped the banner of a web page.'),
    country: country(),
    referrer: orNull(text(253)).describe(
      'The host of the page with the link, in lower case, without `www.`. Null: the browser named none.',
    ),
    browser: orNull(text(50)).describe('The name of the browser, e.g. `Safari`.'),
    os: orNull(text(50)).describe('The operating system, e.g. `iOS`.'),
    osVersion: orNull(text(20)).describe(
      'The version of the operating system, at most `major.minor`. Null: the browser hides it.',
    ),
    model: model(),
    builds: orNull(z.array(build()).max(8)).describe(
      'Keyed hashes of the fingerprints that the public client may have on the Android phone, as far as its browser tells them. Null: not known.',
    ),
    language: orNull(text(20)).describe(
      'The first language of the browser without its region, as in BCP 47, e.g. `de`.',
    ),
    inAppBrowser: orNull(text(50)).describe(
      'The app whose browser opened the link, e.g. `Instagram`; `WebView` for an unknown one.',
    ),
    utm: utmValues().describe(
      'The effective `utm_*` values: of the tapped URL, else of the destination of the link, else of its metadata. Null: there are none.',
    ),
    utmOfLink: z
      .array(z.enum(utmNames))
      .default([])
      .describe(
        'Which of the `utm_*` values are those of the link. Others came with the tapped URL, so that anybody can make them up.',
      ),
    labels: labels(),
  }),
  key: (data) => data.linkId,
});

export const LinkOpened = gatewayEvent('LinkOpened', {
  description:
    'An installed app resolved a link and opened it. Every opening is sent. Openings of one link from one address in one minute have one id, so that they count once.',
  topic: 'link.opened',
  data: z.object({
    ...ofLink,
    address: address(),
    platform: orNull(Platform).describe('The platform of the app. Null: the client does not name it.'),
    country: country(),
    appVersion: appVersion(),
    utm: utmValues().describe(
      'The `utm_*` values of the link at this time: of its destination, else of its metadata. Null: there are none.',
    ),
    labels: labels(),
  }),
  key: (data) => data.linkId,
});

export const ExitUsed = gatewayEvent('ExitUsed', {
  description:
    'A person used the button that leads out of the browser inside another app (`tapped`), or came to a browser by it (`arrived`). Both numbers together say which exits still work. A browser reports `tapped` by itself, and anybody can forge such a report. An exit that opens the installed app at once has no `arrived`.',
  topic: 'exit.used',
  data: z.object({
    ...ofLink,
    exit: text(50).describe('The name of the exit, e.g. `instagram-extbrowser`. The guide about link pages lists all.'),
    step: z.enum(['tapped', 'arrived']).describe('`tapped`: inside the other app. `arrived`: in the browser.'),
    platform: z.enum(['ios', 'android']).describe('The system of the phone or tablet.'),
    inAppBrowser: text(50)
      .nullable()
      .describe('The app that was left, e.g. `Instagram`. Null: `arrived` by an exit that several apps have.'),
  }),
  key: (data) => data.linkId,
});
