// Custom domains of an app: claimed, verified by a record in their DNS, taken back.
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

const domainView = Domain.omit({ token: true }).extend({
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .describe('What its DNS must have to be verified.'),
});

const viewDomain = ({ token, ...domain }: Domain): z.input<typeof domainView> => ({
  ...domain,
  record: recordOf({ domain: domain.domain, token }),
});

export const listDomains = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/domains',
  name: 'listDomains',
  summary: 'List the custom domains of an app, also those that are not verified yet',
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
  summary: 'Add a custom domain to an app. Nothing is served there before it is verified',
  needs: { role: 'admin', of: 'app' },
  params: appParams,
  body: z.object({
    domain: text(300)
      .describe(
        'A host name of your own, such as `go.example.com`, also in letters beyond ASCII: two labels at the least, the last of which begins with a letter; 243 characters at the most, as DNS has it. None of this installation.',
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

/** As DNS has it. Throws 400 for what is no name, or one of the installation's. */
function ownName(given: string, hosts: Hosts): string {
  const wrong = (message: string) => new ApiError('INVALID_REQUEST', [{ path: 'domain', message }]);
  const plain = given.trim().replace(/\.$/, '');
  // A URL parser would cut off everything after the name.
  const name = domainName().safeParse(/[\s/\\?#@:%]/.test(plain) ? '' : domainToASCII(plain));
  if (!name.success) throw wrong(name.error.issues[0]!.message);
  if (hosts.isOurs(name.data)) throw wrong('must be a name of your own, none of this installation');
  return name.data;
}

export const verifyDomain = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/domains/:domainId/verify',
  name: 'verifyDomain',
  summary: 'Look for the record in the DNS of a custom domain, and serve the app there once it is found',
  needs: { role: 'admin', of: 'app' },
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
  summary: 'Take a custom domain from an app: links on it stop there at once, and go on on its other hosts',
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
