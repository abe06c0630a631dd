// Returns client addresses that no other test uses, because rate limits count by address.

let used = 0;

export function freshIp(): string {
  used++;
  return `198.${18 + (used >> 16)}.${(used >> 8) & 255}.${used & 255}`;
}

/**
 * Reserves a block of 4,096 addresses for a file, because all files of a run can share the same counts. `block` is the
 * number of the block.
 */
export function takeAddresses(block: number): void {
  used = block << 12;
}
