// Campaign values of a link. They are in the query of its destination, where apps and statistics read them.
import { UTM_LENGTH, type UtmName, utmNames } from '@landfall/contracts';
import { splitDestination } from '@landfall/gateway';
import { z } from 'zod';

/** One value of a campaign. Blanks at its ends are removed. */
export const utmValue = () =>
  z
    .string()
    .max(UTM_LENGTH)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must contain no control character')
    .transform((value) => value.trim());

type Values = { [K in UtmName]?: string | null | undefined };

export const utmValues = z.object(
  Object.fromEntries(utmNames.map((name) => [name, utmValue().nullable().optional()])) as Record<
    UtmName,
    z.ZodOptional<z.ZodNullable<ReturnType<typeof utmValue>>>
  >,
);

/** Returns the destination with these values. Null and `""` remove a value, an omitted one stays. */
export function withUtm(destination: string, values: Values): string {
  const { path, query, fragment } = splitDestination(destination);
  const given = utmNames.filter((name) => values[name] !== undefined);
  if (given.length === 0) return destination;
  // Other parameters keep their spelling.
  const others = query
    .split('&')
    .filter((part) => part !== '' && !given.some((name) => nameOf(part) === `utm_${name}`));
  const own = given
    .filter((name) => values[name])
    .map((name) => `utm_${name}=${encodeURIComponent(values[name]!.toWellFormed())}`);
  const parts = [...others, ...own];
  return `${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}${fragment === '' ? '' : `#${fragment}`}`;
}

const nameOf = (part: string): string | undefined => [...new URLSearchParams(part).keys()][0];
