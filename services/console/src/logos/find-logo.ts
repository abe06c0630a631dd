import type { One } from '@landfall/bus';
import type { FindLogo } from '@landfall/contracts';
import type { AccountRepository } from '../account-repository.ts';

export function findLogo(account: AccountRepository): One<typeof FindLogo> {
  return async ({ hash }) => {
    const image = await account.apps.findLogo(hash);
    return image
      ? { reply: { image: Buffer.from(image).toString('base64') } }
      : { refusal: { code: 'LOGO_NOT_FOUND', facts: {} } };
  };
}
