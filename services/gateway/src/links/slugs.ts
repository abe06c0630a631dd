// Slugs that servers and people choose, and short ones.
import { randomInt } from 'node:crypto';
import { chosenSlug, SHORT_ALPHABET, SHORT_LENGTH } from '@landfall/contracts';
import { z } from 'zod';
import { isReservedSegment } from './reserved-paths.ts';

/** A chosen slug, with its capitals: those of printed links stay. */
export const importedSlug = () =>
  chosenSlug().refine((slug) => !isReservedSegment(slug), { error: 'is reserved for paths of Landfall' });

/** A chosen slug, in small letters, because people do not want the case of a link to matter. */
export const ownSlug = () =>
  z
    .string()
    .max(100)
    .transform((slug) => slug.trim().toLowerCase())
    .pipe(importedSlug())
    .describe(
      'The path of the link: 2 to 64 letters, digits, `-` and `_`. Capitals become small letters. If omitted, Landfall makes one.',
    );

export const short = () =>
  z
    .boolean()
    .optional()
    .describe('Makes a slug of seven characters. People can guess it: give such a link no secret metadata.');

/** At a million links of an app, one of 27,000 is taken. */
const CANDIDATES = 5;

export const shortSlugs = (): string[] => Array.from({ length: CANDIDATES }, shortSlug);

const shortSlug = (): string =>
  Array.from({ length: SHORT_LENGTH }, () => SHORT_ALPHABET[randomInt(SHORT_ALPHABET.length)]).join('');
