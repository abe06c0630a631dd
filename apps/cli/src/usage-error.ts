import { StartError } from '@landfall/runtime';

/**
 * A call that is not valid. The command has done nothing. The program then ends with exit code 2, and with 1 after
 * other failures.
 */
export class UsageError extends StartError {
  constructor(reason: string | undefined, help: string) {
    super(
      `${reason === undefined ? '' : `${reason[0]!.toUpperCase()}${reason.slice(1).replace(/\.$/, '')}. `}It is used like this:\n\n${help}`,
    );
  }
}
