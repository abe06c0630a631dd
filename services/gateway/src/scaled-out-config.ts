// The settings of a gateway in its own process. Several may run.
import { assertSecretsGiven } from '@landfall/http';
import { assertScaledOut, KafkaConfig, LogConfig, readConfig } from '@landfall/runtime';
import { z } from 'zod';
import { type GatewayConfig, gatewayConfig } from './config.ts';

export const ScaledOutConfig = z.object({ ...LogConfig.shape, ...KafkaConfig.shape });
export type ScaledOutConfig = z.output<typeof ScaledOutConfig>;

export function scaledOutConfig(env: NodeJS.ProcessEnv): ScaledOutConfig & { gateway: GatewayConfig } {
  assertScaledOut(env);
  assertSecretsGiven(env);
  return { ...readConfig(ScaledOutConfig, env), gateway: gatewayConfig(env) };
}
