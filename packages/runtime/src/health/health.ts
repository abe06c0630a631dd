// The checks of a process and their results, by name: the content of /readyz.
import type { BusHealth, ReceiverHealth } from '@landfall/bus';

export interface Check {
  /** False when this process must not get requests. */
  ok: boolean;
  /** A sentence for the operator. It may be set also when the process can continue. */
  detail?: string;
}

export type Health = ReturnType<typeof createHealth>;

export function createHealth() {
  const checks = new Map<string, () => Check | Promise<Check>>();
  return {
    add(name: string, check: () => Check | Promise<Check>): void {
      checks.set(name, check);
    },
    async read(): Promise<{ ready: boolean; checks: Record<string, Check> }> {
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

/** Always ready: a fault of the bus affects every process, so taking processes out of service repairs nothing. */
export function busCheck(bus: { health(): BusHealth }): () => Check {
  return () => {
    const { receivers, troubles } = bus.health();
    const sentences = [...troubles, ...receivers.flatMap(troubleOf)];
    return sentences.length === 0 ? { ok: true } : { ok: true, detail: sentences.join('; ') };
  };
}

function troubleOf({ name, paused, retrying, deadLetters }: ReceiverHealth): string[] {
  const states = [paused && 'paused', retrying && 'retrying', deadLetters > 0 && `${deadLetters} dead letters`];
  const shown = states.filter(Boolean);
  return shown.length === 0 ? [] : [`${name}: ${shown.join(', ')}`];
}
