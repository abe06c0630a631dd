// Hashes are base64url text in messages and bytes in PostgreSQL.

export const toBytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

export const toText = (bytes: Uint8Array | null): string | null =>
  bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
