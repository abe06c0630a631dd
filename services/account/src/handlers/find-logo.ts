import type { One } from '@landfall/bus';
import type { FindLogo } from '@landfall/contracts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function findLogo(account: AccountRepository): One<typeof FindLogo> {
  return async ({ hash }) => {
    const image = await account.apps.findLogo(hash);
    return image ? { reply: { image: Buffer.from(image).toString('base64') } } : refuse('LOGO_NOT_FOUND');
  };
}
