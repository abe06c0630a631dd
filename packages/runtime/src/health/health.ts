// The checks of a process and their results, by name: the content of /readyz.

export interface Check {
  /** False when this process must not get requests. */
  ok: boolean;
  /** A sentence for the operator. It may be set also when the process can continue. */
  detail?: string;
}

export interface Health {
  add(name: string, check: () => Check | Promise<Check>): void;
  read(): Promise<{ ready: boolean; checks: Record<string, Check> }>;
}

export function createHealth(): Health {
  const checks = new Map<string, () => Check | Promise<Check>>();
  return {
    add(name, check) {
      checks.set(name, check);
    },
    async read() {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => {
          try {
            return [name, await check()] as const;
          } catch (error) {
            return [name, { ok: false, detail: (error as Error).message }] as const;
          }
        }),
      );
      return { ready: results.every(([, result]) => result.ok), checks: Object.fromEntries(results) };
    },
  };
}
