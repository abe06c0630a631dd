// Names of hosts that an app has.
import { z } from 'zod';

/** A DNS label, lower case. */
export const subdomain = () =>
  z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label: a-z, 0-9 and "-", at most 63 characters');

/** `_landfall.` before it must still be a name: DNS has 253 characters. */
const MAX_DOMAIN = 253 - '_landfall.'.length;

/** A whole host name as DNS has it: lower case, in ASCII, at least one dot, no port; no address, because it ends with a letter's label. */
export const domainName = () =>
  z
    .string()
    .max(MAX_DOMAIN)
    .regex(
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
      'must be a host name such as go.example.com',
    );
