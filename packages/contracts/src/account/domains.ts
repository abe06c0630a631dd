// Custom domains of an app: claimed by anybody, served to who shows that they own it.
import { z } from 'zod';
import { request } from '../define.ts';
import { instant, uuid } from '../fields.ts';
import { APP_NOT_FOUND, App, FORBIDDEN } from './apps.ts';
import { domainName } from './host-names.ts';
import { actor } from './people/rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

/** What the owner puts into DNS, where everybody reads it. */
const token = () => z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

export const Domain = z.object({
  id: uuid(),
  appId: uuid(),
  domain: domainName(),
  /** The TXT record `_landfall.<domain>` is `landfall-verify=` and this. */
  token: token(),
  createdAt: instant(),
  /** Null: nothing is served there yet. */
  verifiedAt: instant().nullable(),
});
export type Domain = z.output<typeof Domain>;

/** Of an app, verified or not. */
export const MAX_DOMAINS = 20;

const DOMAIN_NOT_FOUND = z.object({});
/** Another app has verified it. Which one is nobody's business. */
const DOMAIN_TAKEN = z.object({});

export const ListDomains = request({
  kind: 'query',
  name: 'ListDomains',
  description: 'The custom domains of an app, also those that are not verified yet.',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ domains: z.array(Domain) }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const AddDomain = request({
  kind: 'command',
  name: 'AddDomain',
  description: 'Claims a custom domain for an app. Several apps may: it is served once one of them has verified it.',
  topic: commands,
  /** The token was made by the asker. */
  input: z.object({ actor: actor(), appId: uuid(), domain: domainName(), token: token() }),
  reply: z.object({ domain: Domain }),
  /** DOMAIN_EXISTS: the app has it already. */
  refusals: {
    APP_NOT_FOUND,
    FORBIDDEN,
    DOMAIN_TAKEN,
    DOMAIN_EXISTS: z.object({}),
    TOO_MANY_DOMAINS: z.object({}),
  },
  key: (input) => input.appId,
});

export const VerifyDomain = request({
  kind: 'command',
  name: 'VerifyDomain',
  description: 'Serves an app on a custom domain, in whose DNS the asker has found the token.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), domainId: uuid(), token: token() }),
  reply: z.object({ domain: Domain, app: App }),
  refusals: { DOMAIN_NOT_FOUND, FORBIDDEN, DOMAIN_TAKEN },
  key: (input) => input.appId,
});

export const RemoveDomain = request({
  kind: 'command',
  name: 'RemoveDomain',
  description: 'Takes a custom domain from an app: nothing is served there any more.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), domainId: uuid() }),
  reply: z.object({}),
  refusals: { DOMAIN_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});
