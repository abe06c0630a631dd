import type { Database } from '@landfall/db';
import type { Fact } from './domain/fact.ts';
import { monthOf, partitionRepository } from './repositories/partition-repository.ts';

/** Knows which months have a partition, and makes those that are missing. */
export function createPartitions(database: Database) {
  const repository = partitionRepository(database);
  const made = new Set<number>();
  let keptFrom = 0;

  async function prepare(months: readonly number[], from: Date) {
    keptFrom = (await repository.begin(from)).keptFrom?.getTime() ?? 0;
    for (const month of months.filter((month) => month >= keptFrom)) {
      await repository.make(new Date(month));
      made.add(month);
    }
  }

  return {
    /** Returns the facts that are kept. Their months have a partition then. */
    async kept(facts: readonly Fact[]): Promise<Fact[]> {
      const months = [...new Set(facts.map(({ at }) => monthOf(at).getTime()))];
      const missing = months.filter((month) => month >= keptFrom && !made.has(month));
      const earliest = () => new Date(Math.min(...facts.map(({ at }) => at.getTime())));
      if (missing.length > 0) await prepare(missing, earliest());
      return facts.filter(({ at }) => at.getTime() >= keptFrom);
    },
    /** Another process may have dropped partitions. */
    forget: () => made.clear(),
  };
}
export type Partitions = ReturnType<typeof createPartitions>;
