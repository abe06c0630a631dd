// What the API says of a fault, as a sentence for the person who fills in a form: what is wrong, and what to do.
import { useTranslations } from 'use-intl';
import type { ApiFailure } from '../../api/index.ts';
import type words from '../../words/en.json';

type Fault = keyof typeof words.errors.fields;
type Code = keyof typeof words.errors.codes;

/** The sentences of the API about a field, each with the name of its words. A number in it is `count` there. */
export const FIELD_SENTENCES: readonly (readonly [sentence: RegExp, fault: Fault])[] = [
  [/^must be an http or https URL$/, 'url'],
  [/^must be an https URL\b/, 'httpsUrl'],
  [/^must be 32 upper case hex pairs with colons$/, 'certificate'],
  [/^must be 10 letters and digits$/, 'appleTeam'],
  [/^must be a bundle identifier$/, 'bundleId'],
  [/^must be an application id such as com\.example\.app$/, 'applicationId'],
  [/^must be the number of the App Store page$/, 'storeId'],
  [/^must be a time zone of the IANA database such as Europe\/Berlin$/, 'timeZone'],
  [/^must be an email address$/, 'email'],
  [/^must be in the future$/, 'past'],
  [/^must be within a year$/, 'year'],
  [/^must be a time between 1970 and 9999$/, 'time'],
  [/^must be the URL of a link$/, 'link'],
  [/^must be a relative path: /, 'path'],
  [/^must be a name of your own, not of this installation$/, 'ownDomain'],
  [/^must be a PNG, a JPEG or a WebP image$/, 'picture'],
  [/^must be at most 1 MB$/, 'pictureSize'],
  [/^must be a language such as de or de-AT$/, 'language'],
  [/^Too small: expected string to have >=1 characters$/, 'empty'],
  [/^Too small: expected string to have >=(\d+) characters$/, 'short'],
  [/^Too big: expected string to have <=(\d+) characters$/, 'long'],
  [/^Too small: expected number to be >=(-?\d+)$/, 'least'],
  [/^Too big: expected number to be <=(-?\d+)$/, 'most'],
  [/^Too big: expected array to have <=(\d+) items$/, 'items'],
  [/^Invalid input: expected (?:int|number)/, 'number'],
];

export interface Sentences {
  /** A sentence of the API about a field. One without words of its own stays, as a sentence. */
  ofField(message: string): string;
  /** What the API says of a whole request. */
  ofCode(failure: Pick<ApiFailure, 'code' | 'message'>): string;
}

export function useSentences(): Sentences {
  const t = useTranslations('errors');
  return {
    ofField(message) {
      for (const [sentence, fault] of FIELD_SENTENCES) {
        const found = sentence.exec(message);
        if (found) return t(`fields.${fault}`, { count: Number(found[1]) });
      }
      return /^must /.test(message) ? t('it', { message }) : message;
    },
    ofCode: ({ code, message }) => (t.has(`codes.${code as Code}`) ? t(`codes.${code as Code}`) : message),
  };
}
