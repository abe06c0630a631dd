// The refusals of questions that read much.
import type { One, Outcome } from '@landfall/bus';
import type { InputOf, RequestDef } from '@landfall/contracts';
import { QuestionTooLarge } from '../store.ts';
import { TooManyQuestions } from './gate.ts';

/** A query about the figures of an app. */
export type FigureQuery = RequestDef & {
  kind: 'query';
  refusals: { QUESTION_TOO_LARGE: unknown; TOO_MANY_QUESTIONS: unknown };
};

interface Asked {
  readonly appId: string;
  /** Null: a gateway of an older version. */
  readonly caller: string | null;
}

/** Refuses a question that the store cannot answer in time, or has no place for, instead of failing. */
export function unlessRefused<D extends FigureQuery>(
  answer: (input: InputOf<D> & Asked, context: Parameters<One<D>>[1]) => Promise<Outcome<D>>,
): One<D> {
  return async (input, context) => {
    try {
      return await answer(input as InputOf<D> & Asked, context);
    } catch (error) {
      return { refusal: refusalOf(error) } as unknown as Outcome<D>;
    }
  };
}

function refusalOf(error: unknown) {
  if (error instanceof QuestionTooLarge) return { code: 'QUESTION_TOO_LARGE', facts: {} };
  if (error instanceof TooManyQuestions) return { code: 'TOO_MANY_QUESTIONS', facts: { seconds: error.seconds } };
  throw error;
}
