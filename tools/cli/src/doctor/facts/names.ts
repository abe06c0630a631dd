import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { reasonOf } from '../finding.ts';
import { isAddress, isLocalName } from './addresses.ts';

export interface Resolved {
  v4: string[];
  v6: string[];
  /** The failure of the name server. Undefined when it answered, even without records. */
  fault?: string;
}

export type Names = ReturnType<typeof createNames>;

/** The name does not exist, or it has no record of this kind. */
const NOTHING = ['ENOTFOUND', 'ENODATA', 'NOTFOUND'];

const WITHIN_MS = 800;

/** @param server `address` or `address:port` of a name server to ask instead of this machine's */
export function createNames(server?: string, patience = 1) {
  const resolver = new Resolver({ timeout: Math.round(WITHIN_MS * patience), tries: 2 });
  if (server !== undefined) resolver.setServers([server]);

  async function records(kind: 'resolve4' | 'resolve6', host: string): Promise<{ found: string[]; fault?: string }> {
    try {
      return { found: await resolver[kind](host) };
    } catch (error) {
      const { code = '' } = error as { code?: string };
      return NOTHING.includes(code) ? { found: [] } : { found: [], fault: `${reasonOf(error)}` };
    }
  }

  async function ask(host: string): Promise<Resolved> {
    if (isAddress(host)) return host.includes(':') ? { v4: [], v6: [host] } : { v4: [host], v6: [] };
    if (isLocalName(host)) return { v4: ['127.0.0.1'], v6: [] };
    const [a, aaaa] = await Promise.all([records('resolve4', host), records('resolve6', host)]);
    if (a.found.length + aaaa.found.length > 0) return { v4: a.found, v6: aaaa.found };
    // Only this machine's own list of hosts may know the name.
    const own = server === undefined ? await systemLookup(host, { all: true }).catch(() => []) : [];
    const fault = own.length > 0 ? undefined : (a.fault ?? aaaa.fault);
    return {
      v4: own.flatMap(({ address, family }) => (family === 4 ? [address] : [])),
      v6: own.flatMap(({ address, family }) => (family === 6 ? [address] : [])),
      ...(fault !== undefined && { fault }),
    };
  }

  const asked = new Map<string, Promise<Resolved>>();
  /** Resolves with the A and AAAA records. Never rejects. */
  const resolve = (host: string): Promise<Resolved> => {
    const known = asked.get(host) ?? ask(host);
    asked.set(host, known);
    return known;
  };

  /** For connections: gives the same addresses as `resolve`. */
  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(({ v4, v6, fault }) => {
      const all = [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
      const [first] = all;
      if (!first) {
        const error: NodeJS.ErrnoException = new Error(fault ?? `${host} does not resolve`);
        return callback(Object.assign(error, { code: 'ENOTFOUND' }), '', 0);
      }
      if (options.all) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };

  return { resolve, lookup };
}
