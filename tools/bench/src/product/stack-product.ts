// Starts the scaled-out product: each service is a process of its own, with Kafka, Redis and PostgreSQL on this
// machine.
import path from 'node:path';
import { connect } from '@landfall/db';
import type * as OfStack from '@landfall/stack';
import { cpuSeconds, residentBytes, treeCpuSeconds } from './processes.ts';
import { FILL_MS, type Product, type ProductOptions, root } from './product.ts';

export interface StackProductOptions {
  /** The process whose memory is measured, and the process that `kill` kills. Default: `gateway-1`. */
  watched?: string;
  processes?: Partial<Record<OfStack.ServiceName, number>>;
  /** True when the caller warms up the broker before it measures. The broker then uses the settings for a long run. */
  lasting?: boolean;
}

export async function startStackProduct(
  { profile, settings, checkout = root }: ProductOptions,
  { watched = 'gateway-1', processes = {}, lasting = false }: StackProductOptions = {},
): Promise<Product> {
  const nodeFlags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const { startStack }: typeof OfStack = await import(path.join(checkout, 'apps/stack/src/index.ts'));
  const stack = await startStack({
    nodeFlags,
    lasting,
    restart: false,
    env: { LOG_LEVEL: 'warn', ...settings },
    processes,
    onLine: (name, line) => process.stderr.write(`${name} ${line}\n`),
  });
  const database = connect({ url: stack.databaseUrl, max: 1, limits: { statement: FILL_MS } });
  const gateway = stack.process('gateway-1');
  const cpuByProcess = (): Record<string, number> => ({
    ...Object.fromEntries(stack.processes.map((one) => [one.name, cpuSeconds(one.pid()!)])),
    kafka: cpuSeconds(stack.kafka!.pid()!),
    postgres: treeCpuSeconds(stack.postgres!.pid),
    redis: cpuSeconds(stack.redis!.pid),
  });
  return {
    port: stack.ports[0]!,
    ports: stack.ports,
    // Before there was a console, the gateways served the management API.
    managePort: stack.consolePorts?.[0] ?? stack.ports[0]!,
    ownerToken: stack.ownerToken,
    database,
    memory: () => residentBytes(stack.process(watched).pid()!),
    cpuSeconds: () => cpuSeconds(gateway.pid()!),
    cpuByProcess,
    /** The services alone: a broker that starts anew is slow for most of a minute. */
    async restart(further) {
      if (Object.keys(further).length > 0) throw new Error('the stack has the settings that it was started with');
      await Promise.all(stack.processes.map((one) => one.term()));
      await Promise.all(stack.processes.map((one) => one.start()));
    },
    async kill() {
      await stack.process(watched).kill();
      await stack.process(watched).start();
    },
    async stop() {
      await database.close();
      await stack.stop();
    },
  };
}
