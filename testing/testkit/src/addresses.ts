// Addresses of clients that no other test has used: limits count by address.

let used = 0;

export function freshIp(): string {
  used++;
  return `198.${18 + (used >> 16)}.${(used >> 8) & 255}.${used & 255}`;
}

/** If a whole run shares counts, each file takes addresses of its own: the `block`-th 4,096. */
export function takeAddresses(block: number): void {
  used = block << 12;
}
