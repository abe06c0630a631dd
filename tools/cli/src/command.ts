import { StartError } from '@landfall/runtime';
import type { Command } from 'commander';

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  print(text: string): void;
  /** Writes a note to standard error. The note is not part of the output. */
  note(text: string): void;
  /** Sets the exit code of a command that ends without an error. */
  exitCode(code: number): void;
}

export type AddCommand = (program: Command, surroundings: Surroundings) => void;

/** As help and documents show it: `create <name> --subdomain <label> [--team <id>]`. */
export function usageOf(command: Command): string {
  const places = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()} …` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [command.name(), ...places, ...options.filter((flags) => flags !== '[--json]')].join(' ');
}

export async function whileOpen<T extends { close(): Promise<void> }, R>(
  open: T,
  act: (open: T) => Promise<R>,
): Promise<R> {
  try {
    return await act(open);
  } finally {
    await open.close();
  }
}

/** A call that is not valid, and has done nothing. The exit code is then 2, and 1 after other failures. */
export class UsageError extends StartError {
  constructor(reason: string | undefined, help: string) {
    const says = reason === undefined ? '' : `${reason[0]!.toUpperCase()}${reason.slice(1).replace(/\.$/, '')}. `;
    super(`${says}It is used like this:\n\n${help}`);
  }
}
