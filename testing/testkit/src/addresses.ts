// Returns client addresses that no other test uses, because rate limits count by address. They are of 240.0.0.0/8, which
// nobody has, so that they are in no country. The range for tests is too small: 198.18.0.0/15 has room for 32 files.

let used = 0;

export function freshIp(): string {
  used++;
  return `240.${(used >> 16) & 255}.${(used >> 8) & 255}.${used & 255}`;
}

/**
 * Reserves a block of 4,096 addresses for a file, because all files of a run can share the same counts. `block` is the
 * number of the block.
 */
export function takeAddresses(block: number): void {
  used = block << 12;
}
