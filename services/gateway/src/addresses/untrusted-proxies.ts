// Tells an operator, once for each peer, that a proxy is not trusted.

export interface UntrustedProxies {
  seen(peer: string): void;
  /** Those that were seen, 100 at the most. */
  peers(): string[];
  /** A sentence for /readyz; undefined when there is nothing to say. */
  detail(): string | undefined;
  /** The number of requests. */
  count(): number;
}

const MAX_PEERS = 100;

export function untrustedProxies(warn: (peer: string) => void): UntrustedProxies {
  const peers = new Set<string>();
  let requests = 0;
  return {
    seen(peer) {
      requests++;
      if (peers.has(peer) || peers.size >= MAX_PEERS) return;
      peers.add(peer);
      warn(peer);
    },
    peers: () => [...peers],
    detail() {
      if (peers.size === 0) return undefined;
      const [first] = peers;
      return `${first} sends X-Forwarded-For and is not trusted, so its requests are not matched by address: set TRUST_PROXY.`;
    },
    count: () => requests,
  };
}
