import { isWaiting } from '@landfall/bus';
import { compareTopics, noLog, openDeadLetters, openInspection, productTopics } from '@landfall/bus/kafka';
import { once } from './ask.ts';
import type { Setup } from './setup.ts';

/** @param patience the factor for every time limit */
export function lookAtKafka({ connection, prefix, settings }: NonNullable<Setup['kafka']>, patience: number) {
  const inspection = openInspection(connection, noLog, prefix, patience);
  const opened: { close(): Promise<void> }[] = [inspection];
  const brokers = once(() => inspection.brokers());
  /** Only the brokers that answer. A client that retries would wait long for a broker that is away. */
  const alive = once(async () => {
    const addresses = (await brokers()).filter(({ fault }) => fault === undefined).map(({ address }) => address);
    return { ...connection, brokers: addresses };
  });
  const box = once(async () => {
    const letters = openDeadLetters(await alive(), noLog, prefix);
    opened.push(letters);
    return letters;
  });
  const leftBy = once(async () => (await box()).groups());
  return {
    brokers,
    groups: once(() => inspection.groups()),
    topics: once(async () => {
      // When a partition has no leader, topics cannot be listed. The partition is the finding then, and not this error.
      const wanted = productTopics(prefix, await leftBy().catch(() => []));
      const [troubles, compared] = await Promise.all([
        inspection.partitions(wanted.keys()),
        compareTopics(await alive(), wanted, settings).catch((error: unknown) => ({ error })),
      ]);
      const findings = 'error' in compared ? [] : compared;
      if ('error' in compared && troubles.length === 0) throw compared.error;
      return { count: wanted.size, findings, troubles };
    }),
    letters: once(async () => {
      const counts = (await leftBy()).map(async (group) => {
        const letters = await (await box()).list(group);
        return { group, count: letters.filter(isWaiting).length };
      });
      return Promise.all(counts);
    }),
    close: () => Promise.all(opened.map((one) => one.close())),
  };
}
