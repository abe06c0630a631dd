// The environment and output functions that every operator's command gets, and the text of its usage.
import type { Command } from 'commander';

/** The environment and output functions of a command. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes a note to standard error. The note is not part of the output. */
  note(text: string): void;
  /** Sets the exit code of a command that ends without an error. */
  exitCode(code: number): void;
}

/** Adds a command, with its actions, to the program. */
export type AddCommand = (program: Command, surroundings: Surroundings) => void;

/**
 * Returns a command with its arguments and options, as help and documents show it: `create <name> --subdomain <label>
 * [--team <id>]`.
 */
export function usageOf(command: Command): string {
  const places = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()} …` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [command.name(), ...places, ...options.filter((flags) => flags !== '[--json]')].join(' ');
}
