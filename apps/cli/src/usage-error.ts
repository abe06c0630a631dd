import { StartError } from '@landfall/runtime';

/** What was asked cannot be meant: nothing was done. Ends the program with 2, where other failures end it with 1. */
export class UsageError extends StartError {
  constructor(reason: string | undefined, help: string) {
    super(`${reason === undefined ? '' : `${reason.replace(/\.$/, '')}. `}It is used like this:\n\n${help}`);
  }
}

/** What node:util says of arguments, in its first sentence. */
export const reasonOf = (error: unknown): string => (error as Error).message.split('. ')[0]!;
