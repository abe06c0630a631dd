import type { One, Outcome } from '@landfall/bus';
import type { RequestDef } from '@landfall/contracts';
import { QuestionTooLarge } from '../store.ts';

type Large = RequestDef & { refusals: { QUESTION_TOO_LARGE: unknown } };

/** Refuses a question that the store cannot answer in time, instead of failing. */
export function unlessTooLarge<D extends Large>(answer: One<D>): One<D> {
  return async (input, context) => {
    try {
      return await answer(input, context);
    } catch (error) {
      if (!(error instanceof QuestionTooLarge)) throw error;
      return { refusal: { code: 'QUESTION_TOO_LARGE', facts: {} } } as unknown as Outcome<D>;
    }
  };
}
