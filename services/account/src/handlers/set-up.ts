import { type One, type Outcome, told } from '@landfall/bus';
import { AppChanged, type FindSetUp, type OfferSetUp, type ReplyOf, type SetUp } from '@landfall/contracts';
import type { AppState } from '../common/app-changed.ts';
import { beginSession, personsChanged } from '../common/begin-session.ts';
import { makeFirstOwner, setUpSaid } from '../first-owner.ts';
import { refuse } from '../refuse.ts';
import type { AccountRepository } from '../repositories/account-repository.ts';
import { type Secrets, settable } from '../secrets.ts';

export function findSetUp(account: AccountRepository): One<typeof FindSetUp> {
  return async () => ({ reply: { needed: !(await account.people.hasOwner()) } });
}

export function offerSetUp(account: AccountRepository): One<typeof OfferSetUp> {
  return async ({ codeHash }, { now }) => {
    const needed = !(await account.people.hasOwner());
    if (needed) await account.signIns.offerCode(codeHash, now);
    return { reply: { needed } };
  };
}

interface OwnerCreated {
  reply: ReplyOf<typeof SetUp>;
  adopted: AppState[];
  left?: string | null;
}

export function setUp(account: AccountRepository, secrets: Secrets): One<typeof SetUp> {
  return async (wanted, context): Promise<Outcome<typeof SetUp>> => {
    const { now, idFor } = context;
    const { codeHash, email, name, teamName, session, address, newDeviceHash } = wanted;

    async function make() {
      if (await account.people.hasOwner()) return refuse('SET_UP_DONE');
      if (!(await account.signIns.isOffered(codeHash))) return refuse('CODE_UNKNOWN');
      const password = await settable(secrets, wanted.password);
      if ('refusal' in password) return password;
      const userId = idFor('person');
      const actor = { kind: 'person', userId, tokenId: null, address } as const;
      return account.change({ command: 'SetUp', actor, context }, async (tx) => {
        const ids = { userId, teamId: idFor('team') };
        const made = await makeFirstOwner(account, tx, { ...ids, ...password, email, name, teamName, now });
        if (!made) return refuse('SET_UP_DONE');
        const { person, team, adopted } = made;
        const begun = await beginSession(account, tx, { id: idFor('session'), userId, made: session, now });
        await account.signIns.know(tx, userId, [newDeviceHash, address], now);
        const after = setUpSaid(secrets.sealer.open('email', email), team, adopted);
        const done: OwnerCreated = { reply: { session: begun.session, person }, adopted, left: begun.left };
        return { subject: userId, teamId: team.id, after, done };
      });
    }

    const before = await account.doneBefore<OwnerCreated>(context.id);
    const change = before ? { done: before } : await make();
    if ('refusal' in change) return change;
    const { reply, adopted, left } = change.done;
    const events = adopted.map((app) => told(AppChanged, app));
    return { reply, events: [...personsChanged(reply.person.id, left), ...events] };
  };
}
