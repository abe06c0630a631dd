// Checks the DNS proof that a custom domain belongs to its claimant.
import { Resolver } from 'node:dns/promises';
import type { Domain } from '@landfall/contracts';
import { ApiError } from '../http/errors.ts';

/** The record that the owner of a domain puts into its DNS. */
export const recordOf = ({ domain, token }: Pick<Domain, 'domain' | 'token'>) => ({
  type: 'TXT' as const,
  name: `_landfall.${domain}`,
  value: `landfall-verify=${token}`,
});

const WITHIN_MS = 4_000;
/** No such name, or none of this kind. */
const NOTHING = ['ENOTFOUND', 'ENODATA'];

/**
 * Resolves when the record is there. Throws DOMAIN_UNPROVEN, which says what is missing, and DNS_SILENT when nobody answers in
 * four seconds.
 * @param servers of names; this machine's when there are none
 */
export async function assertProven(claim: Pick<Domain, 'domain' | 'token'>, servers: readonly string[]): Promise<void> {
  const { name, value } = recordOf(claim);
  const found = await textsOf(name, servers);
  if (found.includes(value)) return;
  const message =
    found.length === 0
      ? 'has no TXT record, as far as name servers know'
      : `has a TXT record, but none that is ${value}`;
  throw new ApiError('DOMAIN_UNPROVEN', [{ path: name, message }]);
}

async function textsOf(name: string, servers: readonly string[]): Promise<string[]> {
  // One for each question: it keeps no answer.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), WITHIN_MS);
  try {
    // A long text comes in pieces.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim());
  } catch (error) {
    if (NOTHING.includes((error as { code?: string }).code ?? '')) return [];
    throw new ApiError('DNS_SILENT', undefined, { headers: { 'Retry-After': '5' } });
  } finally {
    clearTimeout(late);
  }
}
