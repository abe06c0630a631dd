// Questions to DNS servers. Nothing is kept, so a record is seen as soon as the servers know it.
import { Resolver } from 'node:dns/promises';
import { ApiError } from '@landfall/http';

export type Dns = ReturnType<typeof createDns>;

const WITHIN_MS = 4_000;
/** Codes for an unknown name, or a name without records of the type. */
const NOTHING = ['ENOTFOUND', 'ENODATA'];

/**
 * Each answer is empty for a name without such a record. Without an answer of the servers it throws DNS_SILENT.
 * @param servers DNS servers; those of this machine when empty
 */
export function createDns(servers: readonly string[]) {
  const asking =
    <T>(ask: (resolver: Resolver, name: string) => Promise<T[]>) =>
    async (name: string): Promise<T[]> => {
      // A new resolver for each question, because it has no cache.
      const resolver = new Resolver({ timeout: 1_000, tries: 2 });
      if (servers.length > 0) resolver.setServers(servers);
      const late = setTimeout(() => resolver.cancel(), WITHIN_MS);
      try {
        return await ask(resolver, name);
      } catch (error) {
        if (NOTHING.includes((error as { code?: string }).code ?? '')) return [];
        throw new ApiError('DNS_SILENT', undefined, { headers: { 'Retry-After': '5' } });
      } finally {
        clearTimeout(late);
      }
    };
  return {
    /** DNS splits a long text into pieces, which are joined. */
    texts: asking(async (resolver, name) => (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim())),
    ipv4: asking((resolver, name) => resolver.resolve4(name)),
    ipv6: asking((resolver, name) => resolver.resolve6(name)),
    nameServers: asking((resolver, name) => resolver.resolveNs(name)),
  };
}
