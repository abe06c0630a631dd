// A command may be delivered again. Its change happens once, and each delivery gets the same answer.

/** A command that was refused. Nothing is stored, so a later delivery is decided anew. */
export type Refused = { refusal: { code: string; facts: object } };

/** The refusal, or the result of the first delivery. */
export type ChangedOnce<R> = Extract<R, Refused> | Pick<Extract<R, { done: unknown }>, 'done'>;

/** Where the results are kept, by the id of the message, in the transaction of the change. */
export interface Results<R> {
  /** Returns the result of an earlier delivery, or null. */
  find(): Promise<unknown>;
  keep(change: Extract<R, { done: unknown }>): Promise<void> | void;
}

/**
 * Runs a change once.
 * @param decide makes the change, and returns its result as `done`: JSON, the data of the reply and the events
 */
export async function changeOnce<const R extends Refused | { done: unknown }>(
  { find, keep }: Results<R>,
  decide: () => Promise<R>,
): Promise<ChangedOnce<R>> {
  const before = await find();
  if (before !== null) return { done: before } as ChangedOnce<R>;
  const decided = await decide();
  if (!('done' in decided)) return decided as Extract<R, Refused>;
  const change = decided as Extract<R, { done: unknown }>;
  await keep(change);
  return { done: change.done };
}
