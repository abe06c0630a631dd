import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { domainName, text } from '@landfall/contracts';
import { subdomainHost } from '@landfall/gateway';
import { ApiError, type Hosts } from '@landfall/http';
import { z } from 'zod';
import type { AccountRepository } from '../account-repository.ts';
import { appChanged } from '../apps/changed-app.ts';
import { getFile } from '../association/get-file.ts';
import type { Change, Changing } from '../changes/change.ts';
import { lockApp } from '../common/rights.ts';
import { manageRoute } from '../routing/route.ts';
import { seeCertificate } from './certificate.ts';
import { checkDomain, DomainCheck } from './check-domain.ts';
import { createDns, type Dns } from './dns.ts';
import { Domain } from './domain-repository.ts';

export const domainView = Domain.omit({ token: true }).extend({
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .describe('The DNS record that verifies the domain.'),
});

const viewDomain = ({ token, ...domain }: Domain): z.input<typeof domainView> => ({
  ...domain,
  record: recordOf({ domain: domain.domain, token }),
});

export const listDomains = manageRoute('GET /api/manage/apps/:appId/domains', {
  summary: 'List the custom domains of an app, verified or not',
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ domains: z.array(domainView) }),
  handle: async ({ params: { appId } }, { account }) => ({
    domains: (await domainsOf(appId, account)).map(viewDomain),
  }),
});

async function domainsOf(appId: string, account: AccountRepository): Promise<Domain[]> {
  const domains = await account.domains.list(appId);
  if (!domains) throw new ApiError('APP_NOT_FOUND');
  return domains;
}

/** The maximum number of domains of one app, verified or not. */
export const MAX_DOMAINS = 20;

export const addDomain = manageRoute('POST /api/manage/apps/:appId/domains', {
  summary: 'Add a custom domain to an app. It is not served before it is verified',
  needs: { role: 'admin', of: 'app' },
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
  async handle({ params: { appId }, body, change }, { account, hosts }) {
    const name = ownName(body.domain, hosts);
    const token = randomBytes(16).toString('hex');
    const domain = await change('AddDomain', async (at) => {
      const { tx, id, now } = at;
      const { teamId } = await lockApp(at, appId, 'admin');
      const own = await account.domains.ofApp(tx, appId);
      if (own.some(({ domain }) => domain === name)) throw new ApiError('DOMAIN_EXISTS');
      if (await account.apps.hostOwner(tx, name)) throw new ApiError('DOMAIN_TAKEN');
      if (own.length >= MAX_DOMAINS) throw new ApiError('TOO_MANY_DOMAINS');
      const domain = await account.domains.insert(tx, { id, appId, domain: name, token, now });
      // No event: no cached copy changes before the verification.
      return { subject: id, teamId, appId, after: { domain: name }, done: domain };
    });
    return { domain: viewDomain(domain) };
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

export const verifyDomain = manageRoute('POST /api/manage/apps/:appId/domains/:domainId/verify', {
  summary: 'Check the DNS record of a custom domain; the app is served there if the record is found',
  needs: { role: 'admin', of: 'app' },
  limit: 'checks',
  reply: z.object({ domain: domainView }),
  errors: ['DOMAIN_NOT_FOUND', 'DOMAIN_UNPROVEN', 'DOMAIN_TAKEN', 'DNS_SILENT'],
  async handle({ params: { appId, domainId }, change }, { account, config }) {
    const claim = (await domainsOf(appId, account)).find((one) => one.id === domainId);
    if (!claim) throw new ApiError('DOMAIN_NOT_FOUND');
    if (claim.verifiedAt !== null) return { domain: viewDomain(claim) };
    await assertProven(claim, createDns(config.DNS_SERVERS));
    const domain = await change('VerifyDomain', verifyProven(claim));
    return { domain: viewDomain(domain) };
  },
});

/** Returns the change that serves the app on a domain whose record was found. It changes nothing when it is done already. */
export const verifyProven =
  ({ id, appId }: Pick<Domain, 'id' | 'appId'>) =>
  async (at: Changing): Promise<Change<Domain>> => {
    const { tx, account, now } = at;
    const { primaryDomain } = await lockApp(at, appId, 'admin');
    const found = await account.domains.findOf(tx, appId, id);
    // It may have been removed since.
    if (!found) throw new ApiError('DOMAIN_NOT_FOUND');
    const domain = found.verifiedAt === null ? await account.domains.verify(tx, found, now) : found;
    if (!domain) throw new ApiError('DOMAIN_TAKEN');
    const app = await account.apps.change(tx, appId, { primaryDomain });
    const events = [await appChanged(at, app)];
    return { subject: id, teamId: app.teamId, appId, after: { domain: domain.domain }, done: domain, events };
  };

export const checkOneDomain = manageRoute('GET /api/manage/apps/:appId/domains/:domainId/check', {
  summary:
    'Check what a custom domain still needs: its DNS records, its certificate and the association files. It changes nothing. A result is given again for five seconds',
  needs: { role: 'viewer', of: 'app' },
  limit: 'checks',
  reply: DomainCheck,
  errors: ['DOMAIN_NOT_FOUND', 'DNS_SILENT'],
  async handle({ params: { appId, domainId } }, { account, domainChecks, config, lookups }) {
    const app = await lookups.existingApp(appId);
    const claim = (await domainsOf(appId, account)).find((one) => one.id === domainId);
    if (!claim) throw new ApiError('DOMAIN_NOT_FOUND');
    const { domain, verifiedAt } = claim;
    return domainChecks.of({ id: domainId, version: app.version }, () =>
      checkDomain({
        app,
        domain,
        verified: verifiedAt !== null,
        proof: { name: recordOf(claim).name, value: recordOf(claim).value },
        linkHost: subdomainHost(app, config).replace(/:\d+$/, ''),
        scheme: new URL(config.PUBLIC_URL).protocol,
        dns: createDns(config.DNS_SERVERS),
        certificateOf: seeCertificate,
        get: getFile,
      }),
    );
  },
});

export const removeDomain = manageRoute('DELETE /api/manage/apps/:appId/domains/:domainId', {
  summary: 'Remove a custom domain from an app. Links stop working there at once, and continue on its other hosts',
  needs: { role: 'admin', of: 'app' },
  reply: z.object({}),
  errors: ['DOMAIN_NOT_FOUND'],
  async handle({ params: { appId, domainId }, change }, { account }) {
    return change('RemoveDomain', async (at) => {
      const { tx } = at;
      const app = await lockApp(at, appId, 'admin');
      const { teamId, primaryDomain } = app;
      const found = await account.domains.findOf(tx, appId, domainId);
      if (!found) throw new ApiError('DOMAIN_NOT_FOUND');
      const { domain, verifiedAt } = found;
      await account.domains.remove(tx, found);
      // If it was the primary domain, links use the subdomain again.
      const primary = primaryDomain === domain ? null : primaryDomain;
      const now = verifiedAt === null ? app : await account.apps.change(tx, appId, { primaryDomain: primary });
      const events = [await appChanged(at, now, domain)];
      return { subject: domainId, teamId, appId, before: { domain, verifiedAt }, done: {}, events };
    });
  },
});

const recordOf = ({ domain, token }: Pick<Domain, 'domain' | 'token'>) => ({
  type: 'TXT' as const,
  name: `_landfall.${domain}`,
  value: `landfall-verify=${token}`,
});

/** @throws ApiError DOMAIN_UNPROVEN, DNS_SILENT */
export async function assertProven(claim: Pick<Domain, 'domain' | 'token'>, dns: Dns): Promise<void> {
  const { name, value } = recordOf(claim);
  const found = await dns.texts(name);
  if (found.includes(value)) return;
  const message =
    found.length === 0
      ? 'has no TXT record, as far as the DNS servers know'
      : `has a TXT record, but none with the value ${value}`;
  throw new ApiError('DOMAIN_UNPROVEN', [{ path: name, message }]);
}
