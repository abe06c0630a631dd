// A process for tests. It answers `Add` with its number, and prints the id of each message that it receives.
import { told } from '../port.ts';
import { Add, Added, member } from './cluster.testing.ts';

const [, , brokers = '', prefix = '', commitMs = ''] = process.argv;
const bus = member(brokers.split(','), prefix, { commitMs: Number(commitMs), instance: `worker-${process.pid}` });
bus.answer(Add, async (batch) => {
  for (const { context } of batch) console.log(context.id);
  return batch.map(({ data }) => ({ reply: { n: data.n, by: `${process.pid}` }, events: [told(Added, data)] }));
});
process.once('SIGTERM', async () => {
  await bus.stop();
  process.exit(0);
});
await bus.start();
console.log('ready');
