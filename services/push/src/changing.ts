// The form of a command of a person: one transaction, with an entry in the audit log.
import type { Context, One, Outcome } from '@landfall/bus';
import type { Actor, InputOf, RefusalOf, ReplyOf, RequestDef } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { z } from 'zod';
import type { Change } from './repositories/change-repository.ts';
import type { PushRepository } from './repositories/push-repository.ts';

type ByActor = RequestDef & { input: z.ZodType<{ actor: Actor; teamId: string | null }> };

/**
 * Makes a handler of a change. A redelivered command gets the answer of its first delivery.
 * @param decide makes the change; `done` is the reply
 * @param wake called after the commit, when there may be something to send; never throws
 */
export const changing =
  <D extends ByActor>(
    command: D,
    { changes }: PushRepository,
    decide: (
      input: InputOf<D>,
      tx: PrismaTransaction,
      context: Context,
    ) => Promise<{ refusal: RefusalOf<D> } | (Change & { done: ReplyOf<D> })>,
    wake = () => {},
  ): One<D> =>
  async (input, context) => {
    const { actor, teamId } = input;
    const change = await changes.change({ action: command.name, actor, teamId, context }, (tx) =>
      decide(input, tx, context),
    );
    if ('refusal' in change) return change as Outcome<D>;
    wake();
    return { reply: change.done } as Outcome<D>;
  };

/** Refuses, without facts. */
export const refused = <C extends string>(code: C) => ({ refusal: { code, facts: {} } }) as const;
