// A command can be redelivered. Its change happens once, and every delivery gets the same answer.

/** A refused command. Nothing is stored, so a later delivery is decided again. */
export type Refused = { refusal: { code: string; facts: object } };

/** The result is that of the first delivery. */
export type ChangedOnce<R> = Extract<R, Refused> | Pick<Extract<R, { done: unknown }>, 'done'>;

/** Stores results by message id, in the transaction of the change. */
export interface Results<R> {
  find(): Promise<unknown>;
  keep(change: Extract<R, { done: unknown }>): Promise<void> | void;
}

/** @param decide makes the change, and returns its result as `done`: JSON, the data of the reply and the events */
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
