// The look of an app on its link pages, its logo, and its preview in messages and feeds.
import { z } from 'zod';
import { requestsOf } from '../define.ts';
import { orNull, text } from '../fields.ts';

/** A text without line ends and other control characters. */
const line = (max: number) =>
  text(max).regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters');
const filledLine = (max: number) => line(max).regex(/\S/, 'must not be blank');

const logoHash = () => z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as hexadecimal digits');

export const Branding = z.object({
  color: orNull(z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #1a7f5a')).describe(
    'The color of the first button. The color of its text follows from it. Null: black or white.',
  ),
  sentence: orNull(filledLine(140)).describe('A sentence about the app, below its name.'),
  logo: orNull(logoHash()).describe(
    'The SHA-256 of the logo, which is at `/logos/<SHA-256>.png` on every host. `setLogo` changes it.',
  ),
});

/** A logo has its own command, because its image is checked first. */
export const BrandingSettings = Branding.omit({ logo: true });

/** The texts have the limits of X, which are the narrowest: longer texts are cut in its cards. */
export const SocialSettings = z.object({
  title: orNull(filledLine(70)).describe(
    'The title of previews, for links without their own. Null: the name of the app.',
  ),
  description: orNull(filledLine(200)).describe(
    'The text of previews, for links without their own. Null: the sentence about the app.',
  ),
  imageUrl: orNull(
    text(2048)
      .regex(/^https:\/\/[^\s/]\S*$/i, 'must be an https URL')
      .meta({ format: 'uri' })
      .pipe(z.url({ protocol: /^https$/, error: 'must be an https URL' })),
  ).describe('The image of previews, for links without their own. Networks show 1200 × 630 pixels whole.'),
});

/** A PNG in base64. 256 × 256 pixels with 256 colours need less than 100 KB. */
const image = () => z.base64().min(1).max(200_000);

export const FindLogo = requestsOf('account').query('FindLogo', {
  description: 'Finds a logo by its SHA-256.',
  input: z.object({ hash: logoHash() }),
  reply: z.object({ image: image() }),
  refusals: { LOGO_NOT_FOUND: z.object({}) },
  key: (input) => input.hash,
});
