// The settings of an app, set by its owner.
import { z } from 'zod';
import { labelKeys } from '../client.ts';
import { text } from '../fields.ts';
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
  storeId: z
    .string()
    .regex(/^[0-9]{1,20}$/, 'must be the number of the App Store page')
    .nullable()
    .default(null),
  teamId: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must be 10 letters and digits')
    .nullable()
    .default(null),
  bundleId: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle identifier')
    .nullable()
    .default(null),
  /** A page that replaces the App Store page. */
  storeUrl: webUrl().nullable().default(null),
  appClipBundleId: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,155}$/, 'must be a bundle identifier')
    .nullable()
    .default(null)
    .describe('The bundle identifier of the App Clip. With it, Safari shows a page with the card of the App Clip.'),
});

export const AndroidSettings = z.object({
  package: z
    .string()
    .max(150)
    .regex(/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/, 'must be an application id such as com.example.app')
    .nullable()
    .default(null),
  /** SHA-256 fingerprints of the signing certificates: upper case hex pairs with colons. */
  certificates: z
    .array(z.string().regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, 'must be 32 upper case hex pairs with colons'))
    .max(20)
    .default([]),
  /** A page that replaces the Play page. */
  storeUrl: webUrl().nullable().default(null),
  /** The page for phones without Google Play. They are never sent to Play. */
  huaweiStoreUrl: webUrl().nullable().default(null),
  amazonStoreUrl: webUrl().nullable().default(null),
});

/** Names of query parameters of taps that `link.clicked` publishes for this app, besides those of every app. */
const publishedParameters = () =>
  z
    .array(z.string().regex(/^[\w.~[\]-]{1,100}$/, 'must be the name of a query parameter'))
    .max(50)
    .describe(
      'Query parameters of taps that `link.clicked` publishes, besides `utm_*` and the click ids of ad networks. All readers of events see their values, so do not add a parameter that identifies a person.',
    );

/** Metadata keys whose values travel with the events of a link, e.g. `inviter`. Analytics counts by them. */
const settingsLabels = () =>
  labelKeys()
    .refine((keys) => new Set(keys).size === keys.length, { error: 'must name each key once' })
    .describe(
      'Metadata keys of links whose values travel with events as labels, so that analytics can count by them, e.g. `inviter` or `campaign`. All readers of events see their values, so do not add a key that identifies a person.',
    );

/**
 * The trust in emails that an app sends. `off`: every email counts. `preferred`: a token of the app's backend is
 * checked if there is one, else the email counts. `required`: only the user of a token counts.
 */
export const IdentityMode = z.enum(['off', 'preferred', 'required']);

const publicTry = () =>
  z.boolean().describe('Whether everyone may see what taps on links of the app do, at `/try`. Else only members may.');

const clipboard = () =>
  z
    .boolean()
    .describe(
      'Whether the button to the App Store copies a link that names the tap. The app may read it from the clipboard at its first start and send it as `clipboard` of a restore. iPhones then see a page with the button before the App Store.',
    );

export const AppSettings = z.object({
  ios: IosSettings.prefault({}),
  android: AndroidSettings.prefault({}),
  /** The web page for a person whose device has no app. The destination is appended to it. */
  webFallbackUrl: webUrl().nullable().default(null),
  matching: MatchingSettings.prefault({}),
  publishedParameters: publishedParameters().default([]),
  identity: IdentityMode.default('off'),
  labels: settingsLabels().default([]),
  /** The zone whose days and hours analytics counts in. */
  timeZone: timeZone().default('UTC'),
  publicTry: publicTry().default(false),
  clipboard: clipboard().default(false),
  branding: Branding.prefault({}),
  social: SocialSettings.prefault({}),
});
export type AppSettings = z.output<typeof AppSettings>;

/** A change of some settings. Omitted fields do not change. */
export const AppSettingsChange = z.object({
  ios: partial(IosSettings).optional(),
  android: partial(AndroidSettings).optional(),
  webFallbackUrl: webUrl().nullable().optional(),
  matching: partial(MatchingSettings).optional(),
  publishedParameters: publishedParameters().optional(),
  identity: IdentityMode.optional(),
  labels: settingsLabels().optional(),
  timeZone: newTimeZone().optional(),
  publicTry: publicTry().optional(),
  clipboard: clipboard().optional(),
  branding: partial(BrandingSettings).optional(),
  social: partial(SocialSettings).optional(),
});

/** Makes every field optional and removes its default, so that a change holds only the sent fields. */
function partial<T extends z.ZodRawShape>(schema: z.ZodObject<T>) {
  const shape = Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)).optional(),
    ]),
  );
  return z.object(shape as unknown as { [K in keyof T]: z.ZodOptional<T[K] extends z.ZodDefault<infer I> ? I : T[K]> });
}
