import { splitUtm } from './utm.ts';

/** Returns what people call a link: its name, else its destination without the campaign values. */
export const linkNameOf = ({ name, destination }: { name?: string | null | undefined; destination: string }): string =>
  name || splitUtm(destination).rest;
