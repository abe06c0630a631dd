// A custom domain of an app. Every app may claim a domain. It is served to the app that proves its ownership.
import { domainName, instant, uuid } from '@landfall/contracts';
import { z } from 'zod';

export const Domain = z.object({
  id: uuid(),
  appId: uuid(),
  domain: domainName(),
  /** The TXT record `_landfall.<domain>` is `landfall-verify=` and this value, which everybody can read in DNS. */
  token: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits'),
  createdAt: instant(),
  /** Null: the domain is not verified, and nothing is served there. */
  verifiedAt: instant().nullable(),
});
export type Domain = z.output<typeof Domain>;
