// Hashes travel as base64url and lie in PostgreSQL as bytes.
import { hash } from 'node:crypto';

export const toBytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

export const toText = (bytes: Buffer | null): string | null => bytes?.toString('base64url') ?? null;

export const sha256 = (text: string | null): string | null =>
  text === null ? null : hash('sha256', text, 'base64url');
