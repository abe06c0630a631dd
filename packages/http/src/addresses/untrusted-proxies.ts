// Warns the operator once for each peer that is an untrusted proxy.

export interface UntrustedProxies {
  seen(peer: string): void;
  /** The peers that were seen, at most 100. */
  peers(): string[];
  /** Returns a sentence for /readyz. Undefined when there is nothing to report. */
  detail(): string | undefined;
  /** The number of their requests. */
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
