// A declared refusal without facts.

/** One refusal type for each code. */
export type Refused<C extends string> = C extends string
  ? { refusal: { code: C; facts: Record<string, never> } }
  : never;

export const refuse = <const C extends string>(code: C): Refused<C> => ({ refusal: { code, facts: {} } }) as Refused<C>;
