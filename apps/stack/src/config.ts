// The settings of `npm run stack`, from the environment. Arguments give the number of processes of each service.
import { parseArgs } from 'node:util';
import { integer, KafkaConfig, LogConfig, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import type { ServiceName } from './stack.ts';

/** The services get the shared variables unchanged. */
export const StackConfig = z.object({
  PORT: integer(1, 65_535).default(8080),
  LANDFALL_DATA: z.string().default('.landfall'),
  DATABASE_URL: z.string().optional().meta({ secret: true }),
  REDIS_URL: z.string().optional().meta({ secret: true }),
  KAFKA_BROKERS: KafkaConfig.shape.KAFKA_BROKERS.optional(),
  KAFKA_PREFIX: KafkaConfig.shape.KAFKA_PREFIX,
  ...LogConfig.shape,
});
export type StackConfig = z.output<typeof StackConfig>;

export const stackConfig = (env: NodeJS.ProcessEnv): StackConfig => readConfig(StackConfig, env);

const defaults: Record<ServiceName, number> = {
  gateway: 2,
  console: 1,
  link: 2,
  attribution: 1,
  push: 1,
  analytics: 1,
};
const irregular: Partial<Record<ServiceName, string>> = { push: 'pushes', analytics: 'analytics' };
const plural = (name: ServiceName): string => irregular[name] ?? `${name}s`;
const MAX = 16;
const usage =
  'npm run stack -- [--gateways 2] [--consoles 1] [--links 2] [--attributions 1] [--pushes 1] [--analytics 1]';

export function processesOf(args: readonly string[]): Record<ServiceName, number> {
  const names = Object.keys(defaults) as ServiceName[];
  const options = Object.fromEntries(names.map((name) => [plural(name), { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: [...args], options });
    return Object.fromEntries(
      names.map((name) => {
        const count = Number(values[plural(name)] ?? defaults[name]);
        if (!Number.isInteger(count) || count < 1 || count > MAX)
          throw new Error(`--${plural(name)} is from 1 to ${MAX}`);
        return [name, count];
      }),
    ) as Record<ServiceName, number>;
  } catch (error) {
    throw new StartError(`${(error as Error).message.replace(/\.?\s*$/, '')}. It is used like this: ${usage}`);
  }
}
