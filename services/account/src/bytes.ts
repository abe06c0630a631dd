// Hashes travel as base64url and are stored as bytes.

export const toBytes = (hash: string): Buffer<ArrayBuffer> => Buffer.from(hash, 'base64url');

export const toHash = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
