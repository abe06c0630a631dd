// Routes of an app's custom domains: add, verify by a DNS record, remove.
import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { AddDomain, Domain, domainName, ListDomains, RemoveDomain, text, VerifyDomain } from '@landfall/contracts';
import { z } from 'zod';
import type { Hosts } from '../addresses/hosts.ts';
import { ApiError } from '../http/errors.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { assertProven, recordOf } from './domain-proof.ts';
import { appParams, id } from './manage-fields.ts';

const domainParams = appParams.extend({ domainId: id() });

export const domainView = Domain.omit({ token: true }).extend({
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .describe('The DNS record that verifies the domain.'),
});

const viewDomain = ({ token, ...domain }: Domain): z.input<typeof domainView> => ({
  ...domain,
  record: recordOf({ domain: domain.domain, token }),
});

export const listDomains = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/domains',
  name: 'listDomains',
  summary: 'List the custom domains of an app, verified or not',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  reply: z.object({ domains: z.array(domainView) }),
  errors: [],
  async handle({ params: { appId } }, { bus }) {
    const { domains } = orRefuse(await bus.ask(ListDomains, { appId }));
    return { domains: domains.map(viewDomain) };
  },
});

export const addDomain = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/domains',
  name: 'addDomain',
  summary: 'Add a custom domain to an app. It is not served before it is verified',
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  body: z.object({
    domain: text(300)
      .describe(
        'A host name of your own, such as `go.example.com`, also with letters beyond ASCII. It has at least two labels, and the last one begins with a letter. In its DNS form it has at most 243 characters. Names of this installation are not allowed.',
      )
      .meta({
        pattern: '^\\s*(?:[^\\s/\\\\?#@:%.]{1,63}[.。．｡])+[^\\s/\\\\?#@:%.0-9-][^\\s/\\\\?#@:%.]{0,62}\\.?\\s*$',
      }),
  }),
  reply: z.object({ domain: domainView }),
  errors: ['DOMAIN_TAKEN', 'DOMAIN_EXISTS', 'TOO_MANY_DOMAINS'],
  async handle({ actor, params: { appId }, body }, { bus, hosts }) {
    const domain = ownName(body.domain, hosts);
    const token = randomBytes(16).toString('hex');
    const added = orRefuse(await bus.ask(AddDomain, { actor: actor(), appId, domain, token }));
    return { domain: viewDomain(added.domain) };
  },
});

/** Returns the name in its DNS form. Throws 400 for an invalid name, or one of the installation's. */
function ownName(given: string, hosts: Hosts): string {
  const wrong = (message: string) => new ApiError('INVALID_REQUEST', [{ path: 'domain', message }]);
  const plain = given.trim().replace(/\.$/, '');
  // A URL parser would cut longer texts to a name, so they are refused.
  const name = domainName().safeParse(/[\s/\\?#@:%]/.test(plain) ? '' : domainToASCII(plain));
  if (!name.success) throw wrong(name.error.issues[0]!.message);
  if (hosts.isOurs(name.data)) throw wrong('must be a name of your own, not of this installation');
  return name.data;
}

export const verifyDomain = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/domains/:domainId/verify',
  name: 'verifyDomain',
  summary: 'Check the DNS record of a custom domain, and serve the app there if the record is found',
  needs: { role: 'admin', of: 'app' },
  limit: 'checks',
  params: domainParams,
  reply: z.object({ domain: domainView }),
  errors: ['DOMAIN_NOT_FOUND', 'DOMAIN_UNPROVEN', 'DOMAIN_TAKEN', 'DNS_SILENT'],
  async handle({ actor, params: { appId, domainId } }, { bus, lookups, config }) {
    const { domains } = orRefuse(await bus.ask(ListDomains, { appId }));
    const claim = domains.find((one) => one.id === domainId);
    if (!claim) throw new ApiError('DOMAIN_NOT_FOUND');
    if (claim.verifiedAt !== null) return { domain: viewDomain(claim) };
    await assertProven(claim, config.DNS_SERVERS);
    const { token } = claim;
    const { domain } = orRefuse(await bus.ask(VerifyDomain, { actor: actor(), appId, domainId, token }));
    lookups.forgetApp(appId);
    return { domain: viewDomain(domain) };
  },
});

export const removeDomain = manageRoute({
  method: 'DELETE',
  path: '/api/manage/apps/:appId/domains/:domainId',
  name: 'removeDomain',
  summary: 'Remove a custom domain from an app. Links stop working there at once, and continue on its other hosts',
  needs: { role: 'admin', of: 'app' },
  params: domainParams,
  reply: z.object({}),
  errors: ['DOMAIN_NOT_FOUND'],
  async handle({ actor, params: { appId, domainId } }, { bus, lookups }) {
    orRefuse(await bus.ask(RemoveDomain, { actor: actor(), appId, domainId }));
    lookups.forgetApp(appId);
    return {};
  },
});
