// Chooses the source of a server for tests: an address in the environment, a program of this machine, or a container.

export interface Ways {
  /** The variable that may name a server, and what it holds. */
  variable: string;
  address: string | undefined;
  /** Programs of this machine are left out. */
  containersOnly: boolean;
  /** The reason why this machine has no program for it, in a sentence; undefined when it has one. */
  noProgram(): string | undefined | Promise<string | undefined>;
  /**
   * The reason why no container can be started, in a sentence; undefined when one can. It is asked last, because it
   * takes a moment.
   */
  noEngine(): Promise<string | undefined>;
}

export type Source =
  | { from: 'address'; address: string }
  | { from: 'program' }
  | { from: 'container' }
  /** `why` says what was tried. */
  | { from: 'nowhere'; why: string };

export async function whereFrom(ways: Ways): Promise<Source> {
  if (ways.address) return { from: 'address', address: ways.address };
  const noProgram = ways.containersOnly
    ? 'TEST_WITH=containers leaves out what is installed here.'
    : await ways.noProgram();
  if (noProgram === undefined) return { from: 'program' };
  const noEngine = await ways.noEngine();
  if (noEngine === undefined) return { from: 'container' };
  return { from: 'nowhere', why: `${ways.variable} is not set. ${noProgram} ${noEngine}` };
}

/** Reads TEST_WITH. Throws when it says something else. */
export function containersOnly(testWith: string | undefined): boolean {
  if (!testWith) return false;
  if (testWith === 'containers') return true;
  throw new Error(`TEST_WITH is "${testWith}": leave it out, or set it to "containers".`);
}
