// Messages contain hashes as base64url. The database stores them as bytes.

export const toBytes = (hash: string): Buffer<ArrayBuffer> => Buffer.from(hash, 'base64url');

export const toHash = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
