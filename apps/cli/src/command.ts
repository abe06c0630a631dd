// The parts that every command of the operator gets, and the text of its usage.
import type { Command } from 'commander';

/** The surroundings of a command. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes beside the output, and is no part of it. */
  note(text: string): void;
  /** Sets the exit code of a command that ends well. */
  exitCode(code: number): void;
}

/** Adds a command, with its actions, to the program. */
export type AddCommand = (program: Command, surroundings: Surroundings) => void;

/** `create <name> --subdomain <label> [--team <id>]`: a command with its arguments and options, as help and documents show it. */
export function usageOf(command: Command): string {
  const places = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()} …` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
  return [command.name(), ...places, ...options.filter((flags) => flags !== '[--json]')].join(' ');
}
