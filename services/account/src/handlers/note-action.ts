import type { One, Outcome } from '@landfall/bus';
import type { NoteAction } from '@landfall/contracts';
import type { AccountRepository } from '../repositories/account-repository.ts';

export function noteAction(account: AccountRepository): One<typeof NoteAction> {
  return async ({ actor, action, teamId, appId, after }, context): Promise<Outcome<typeof NoteAction>> => {
    const subject = appId ?? context.id;
    await account.change({ command: action, actor, context }, async () => {
      return { subject, teamId, appId, ...(after && { after }), done: {} };
    });
    return { reply: {} };
  };
}
