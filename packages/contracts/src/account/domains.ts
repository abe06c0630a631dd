// Messages about custom domains of an app. Every app may claim a domain. It is served to the app that proves its
// ownership.
import { z } from 'zod';
import { request } from '../define.ts';
import { instant, uuid } from '../fields.ts';
import { APP_NOT_FOUND, App, FORBIDDEN } from './apps.ts';
import { domainName } from './host-names.ts';
import { actor } from './people/rights.ts';

const queries = 'account.queries';
const commands = 'account.commands';

/** The value that the owner adds to DNS, where everybody can read it. */
const token = () => z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

export const Domain = z.object({
  id: uuid(),
  appId: uuid(),
  domain: domainName(),
  /** The TXT record `_landfall.<domain>` is `landfall-verify=` and this value. */
  token: token(),
  createdAt: instant(),
  /** Null: the domain is not verified, and nothing is served there. */
  verifiedAt: instant().nullable(),
});
export type Domain = z.output<typeof Domain>;

/** The maximum number of domains of one app, verified or not. */
export const MAX_DOMAINS = 20;

const DOMAIN_NOT_FOUND = z.object({});
/** Another app has verified the domain. The refusal does not name it. */
const DOMAIN_TAKEN = z.object({});

export const ListDomains = request({
  kind: 'query',
  name: 'ListDomains',
  description: 'Lists the custom domains of an app, verified or not.',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ domains: z.array(Domain) }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const AddDomain = request({
  kind: 'command',
  name: 'AddDomain',
  description:
    'Claims a custom domain for an app. Several apps may claim one. It is served after one of them has verified it.',
  topic: commands,
  /** The sender generates the token. */
  input: z.object({ actor: actor(), appId: uuid(), domain: domainName(), token: token() }),
  reply: z.object({ domain: Domain }),
  /** DOMAIN_EXISTS: the app already has this domain. */
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
  description: 'Serves an app on a custom domain, after the sender has found the token in its DNS.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), domainId: uuid(), token: token() }),
  reply: z.object({ domain: Domain, app: App }),
  refusals: { DOMAIN_NOT_FOUND, FORBIDDEN, DOMAIN_TAKEN },
  key: (input) => input.appId,
});

export const RemoveDomain = request({
  kind: 'command',
  name: 'RemoveDomain',
  description: 'Removes a custom domain from an app. Nothing is served there any more.',
  topic: commands,
  input: z.object({ actor: actor(), appId: uuid(), domainId: uuid() }),
  reply: z.object({}),
  refusals: { DOMAIN_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});
