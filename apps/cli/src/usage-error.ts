import { StartError } from '@landfall/runtime';

/** A call that cannot be meant: nothing was done. Ends the program with 2, where other failures end it with 1. */
export class UsageError extends StartError {
  constructor(reason: string | undefined, help: string) {
    super(
      `${reason === undefined ? '' : `${reason[0]!.toUpperCase()}${reason.slice(1).replace(/\.$/, '')}. `}It is used like this:\n\n${help}`,
    );
  }
}
