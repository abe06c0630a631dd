// The settings of a gateway in its own process. Several may run.
import { assertScaledOut, KafkaConfig, LogConfig, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import { type GatewayConfig, gatewayConfig } from './config.ts';

export const ScaledOutConfig = z.object({ ...LogConfig.shape, ...KafkaConfig.shape });
export type ScaledOutConfig = z.output<typeof ScaledOutConfig>;

export function scaledOutConfig(env: NodeJS.ProcessEnv): ScaledOutConfig & { gateway: GatewayConfig } {
  assertScaledOut(env);
  if (!env.HASH_SECRET && !env.HASH_SECRET_FILE) {
    throw new StartError(
      'HASH_SECRET is not set: give all gateways the same one, e.g. from openssl rand -hex 32. Otherwise hashes of one gateway match nothing at the others.',
    );
  }
  if (!env.SEAL_SECRET && !env.SEAL_SECRET_FILE) {
    throw new StartError(
      'SEAL_SECRET is not set: give all gateways and the account service the same one, e.g. from openssl rand -hex 32. Otherwise nobody can sign in.',
    );
  }
  return { ...readConfig(ScaledOutConfig, env), gateway: gatewayConfig(env) };
}
