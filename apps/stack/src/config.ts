// The settings of `npm run stack`. They come from the environment, as for `npm start`. Arguments give the number of
// processes of each service.
import { parseArgs } from 'node:util';
import { integer, KafkaConfig, LogConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import type { ServiceName } from './stack.ts';

/** The variables of the stack itself. The services get the shared variables unchanged. */
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

/** The argument for each service, and its default. */
const counts: Record<ServiceName, readonly [argument: string, usual: number]> = {
  gateway: ['gateways', 2],
  console: ['consoles', 1],
  link: ['links', 2],
  attribution: ['attributions', 1],
  push: ['pushes', 1],
  analytics: ['analytics', 1],
};
const MAX = 16;
const usage = `npm run stack -- ${Object.values(counts)
  .map(([argument, usual]) => `[--${argument} ${usual}]`)
  .join(' ')}`;

export function processesOf(args: readonly string[]): Record<ServiceName, number> {
  const options = Object.fromEntries(
    Object.values(counts).map(([argument]) => [argument, { type: 'string' as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...args], options });
    return Object.fromEntries(
      Object.entries(counts).map(([name, [argument, usual]]) => {
        const count = Number(values[argument] ?? usual);
        if (!Number.isInteger(count) || count < 1 || count > MAX) throw new Error(`--${argument} is from 1 to ${MAX}`);
        return [name, count];
      }),
    ) as Record<ServiceName, number>;
  } catch (error) {
    throw new StartError(`${(error as Error).message.replace(/\.?\s*$/, '')}. It is used like this: ${usage}`);
  }
}
