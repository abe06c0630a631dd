// Fields with which a client describes its phone, so that matching can compare it with a tap. All are optional. None of
// them identifies a person. A value that is missing or makes no sense counts as omitted, so that no restore fails by it.

import { majorOf, Platform, text } from '@landfall/contracts';
import type { Hashes } from '@landfall/http';
import { z } from 'zod';
import { baseLanguage } from '../links/language.ts';

export const phoneFields = {
  platform: Platform.optional().describe(
    'The platform of the client. If omitted, the user agent decides, if it names one.',
  ),
  osVersion: text(50)
    .optional()
    .describe(
      'The version of the system. Android: `Build.VERSION.RELEASE`, e.g. `14`. Only Android phones are compared by it, and only by the first number.',
    ),
  model: text(100)
    .optional()
    .describe(
      'The model of the phone. Android: `Build.MODEL`, e.g. `Pixel 8`. It is stored as a keyed hash. Only Android phones are compared by it.',
    ),
  language: text(35)
    .optional()
    .describe(
      'The first language of the phone, as in BCP 47, e.g. `de-AT`. Android: `Locale.getDefault().toLanguageTag()`. iOS: `Locale.preferredLanguages.first`. It is recorded with the decision and decides nothing.',
    ),
  addressToken: text(200)
    .optional()
    .describe(
      'The `addressToken` of `GET /api/address`, which proves the IPv6 address of the phone. A token that is too old, changed, or of another app or device counts as omitted.',
    ),
};

/**
 * Describes a phone for a message to attribution.
 * @param platform the platform that the client or its user agent names
 * @param device the hash of the fingerprint, to which an address token may be bound
 */
export function phoneOf(
  given: z.output<z.ZodObject<typeof phoneFields>>,
  { platform, device, appId, now }: { platform: Platform | null; device: string | null; appId: string; now: Date },
  hashes: Hashes,
) {
  const isIphone = platform === 'ios';
  return {
    // Apple forbids to identify a device by its properties, so nothing else of an iPhone leaves the gateway.
    model: given.model === undefined || isIphone ? null : hashes.model(given.model),
    osMajor: given.osVersion === undefined || isIphone ? null : majorOf(given.osVersion),
    language: given.language === undefined ? null : baseLanguage(given.language),
    ipv6:
      given.addressToken === undefined ? null : hashes.readAddress(appId, given.addressToken, device, now.getTime()),
  };
}

export const clipboardField = () =>
  z
    .unknown()
    .optional()
    .transform((given) => (typeof given === 'string' ? given : undefined))
    .meta({
      type: 'string',
      description:
        'The text that the app found on the clipboard, if the link page of an app with `clipboard` has put a link there. Anything else counts as omitted. A token works once, for ten minutes after the tap.',
    });
