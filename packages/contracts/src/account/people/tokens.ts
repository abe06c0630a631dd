// Events of tokens for programs. A personal token has the rights of its person in one team, or fewer rights. An
// owner token may do everything.
import { z } from 'zod';
import { event } from '../../define.ts';
import { hash, uuid } from '../../fields.ts';

export const TokenRevoked = event({
  name: 'TokenRevoked',
  description: 'An owner token was revoked. Caches must drop it.',
  audience: 'internal',
  producer: 'console',
  topic: 'token.revoked',
  data: z.object({ tokenId: uuid().describe('The token.'), hash: hash().describe('Its SHA-256.') }),
  key: (data) => data.tokenId,
});

export const TokenUsed = event({
  name: 'TokenUsed',
  description: 'A token was used. Sent at most once a minute for each token and console.',
  audience: 'internal',
  producer: 'console',
  topic: 'token.used',
  data: z.object({ tokenId: uuid().describe('The token.') }),
  key: (data) => data.tokenId,
});
