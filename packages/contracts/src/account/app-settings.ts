// The settings of an app, set by its owner.
import { z } from 'zod';
import { labelKeys } from '../client.ts';
import { changeOf, orNull, text } from '../fields.ts';
import { MatchingSettings } from '../matching.ts';
import { Branding, BrandingSettings, SocialSettings } from './branding.ts';
import { newTimeZone, timeZone } from './time-zone.ts';

const webUrl = () =>
  text(2048)
    .regex(/^https?:\/\/[^\s/]\S*$/i, 'must be an http or https URL')
    .meta({ format: 'uri' })
    .pipe(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }));

export const IosSettings = z.object({
  /** The number in the App Store URL. */
  storeId: orNull(z.string().regex(/^[0-9]{1,20}$/, 'must be the number of the App Store page')),
  teamId: orNull(z.string().regex(/^[A-Z0-9]{10}$/, 'must be 10 letters and digits')),
  bundleId: orNull(z.string().regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle identifier')),
  /** A page that replaces the App Store page. */
  storeUrl: orNull(webUrl()),
  appClipBundleId: orNull(z.string().regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle identifier')).describe(
    'The bundle identifier of the App Clip. With it, Safari shows a page with the card of the App Clip.',
  ),
});

export const AndroidSettings = z.object({
  package: orNull(
    z
      .string()
      .max(150)
      .regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be an application id such as com.example.app'),
  ),
  /** SHA-256 fingerprints of the signing certificates: upper case hex pairs with colons. */
  certificates: z
    .array(z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, 'must be 32 upper case hex pairs with colons'))
    .max(20)
    .default([]),
  /** A page that replaces the Play page. */
  storeUrl: orNull(webUrl()),
  /** The page for phones without Google Play. They are never sent to Play. */
  huaweiStoreUrl: orNull(webUrl()),
  amazonStoreUrl: orNull(webUrl()),
});

/** Which email counts. `off`: any. `preferred`: that of a token, or any without one. `required`: that of a token. */
export const IdentityMode = z.enum(['off', 'preferred', 'required']);

export const AppSettings = z.object({
  ios: IosSettings.prefault({}),
  android: AndroidSettings.prefault({}),
  /** The web page for a person whose device has no app. The destination is appended to it. */
  webFallbackUrl: orNull(webUrl()),
  matching: MatchingSettings.prefault({}),
  publishedParameters: z
    .array(z.string().regex(/^[\w.~[\]-]{1,100}$/, 'must be the name of a query parameter'))
    .max(50)
    .describe(
      'Query parameters of taps that `link.clicked` publishes, besides `utm_*` and the click ids of ad networks. All readers of events see their values, so do not add a parameter that identifies a person.',
    )
    .default([]),
  identity: IdentityMode.default('off'),
  labels: labelKeys()
    .refine((keys) => new Set(keys).size === keys.length, { error: 'must name each key once' })
    .describe(
      'Metadata keys of links whose values travel with events as labels, so that analytics can count by them, e.g. `inviter` or `campaign`. All readers of events see their values, so do not add a key that identifies a person.',
    )
    .default([]),
  /** The zone whose days and hours analytics counts in. */
  timeZone: timeZone().default('UTC'),
  publicTry: z
    .boolean()
    .describe('Whether everyone may see what taps on links of the app do, at `/try`. Else only members may.')
    .default(false),
  clipboard: z
    .boolean()
    .describe(
      'Whether the button to the App Store copies a link that names the tap. The app may read it from the clipboard at its first start and send it as `clipboard` of a restore. iPhones then see a page with the button before the App Store.',
    )
    .default(false),
  branding: Branding.prefault({}),
  social: SocialSettings.prefault({}),
});
export type AppSettings = z.output<typeof AppSettings>;

export const AppSettingsChange = changeOf(AppSettings).extend({
  ios: changeOf(IosSettings).optional(),
  android: changeOf(AndroidSettings).optional(),
  matching: changeOf(MatchingSettings).optional(),
  timeZone: newTimeZone().optional(),
  branding: changeOf(BrandingSettings).optional(),
  social: changeOf(SocialSettings).optional(),
});
