// Fields for the host names of an app.
import { z } from 'zod';

/** A DNS label, lower case. */
export const subdomain = () =>
  z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label: a-z, 0-9 and "-", at most 63 characters');

/** The maximum length. The name with `_landfall.` before it must also fit into the 253 characters of DNS. */
const MAX_DOMAIN = 253 - '_landfall.'.length;

/**
 * A whole host name in its DNS form: lower case, ASCII, at least one dot, no port. It is never an address, because its
 * last label begins with a letter.
 */
export const domainName = () =>
  z
    .string()
    .max(MAX_DOMAIN)
    .regex(
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
      'must be a host name such as go.example.com',
    );
