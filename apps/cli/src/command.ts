// What every command of the operator is.

export type Say = (text: string) => void;

export interface Command {
  /** In the list of commands. */
  says: string;
  /** What `--help` prints. */
  help: string;
  /**
   * Resolves with the exit code. Throws a StartError with a sentence when it cannot be done, a UsageError when it cannot be meant.
   * `note` says what stands beside the output and is no part of it.
   */
  run(args: readonly string[], env: NodeJS.ProcessEnv, print: Say, note: Say): Promise<number>;
}
