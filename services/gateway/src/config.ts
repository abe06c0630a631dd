// The gateway's settings. No other file of the gateway reads the environment.
import { assertSecretsGiven, completed, HttpConfig } from '@landfall/http';
import { assertScaledOut, KafkaConfig, LogConfig, readConfig, readNames } from '@landfall/runtime';
import { z } from 'zod';

export const GatewayConfig = z.object({
  ...HttpConfig.shape,
  SDK_KEY_HEADERS: z
    .string()
    .default('x-openlynk-sdk-key')
    .transform(readNames)
    .describe(
      'Further headers that may carry an SDK key, comma-separated. `x-service-sdk-key` and `Authorization` always may.',
    ),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header')
    .transform((name) => name.toLowerCase())
    .optional()
    .describe(
      'The header in which your proxy writes the country of the client as two letters, e.g. `cf-ipcountry`. It is believed only from proxies of TRUST_PROXY. The proxy must set it on every request: otherwise it passes on what a client wrote there.',
    ),
  GEOIP_DB: z
    .string()
    .min(1)
    .optional()
    .describe(
      'An .mmdb file with countries, of DB-IP, MaxMind or IPinfo. It is read again when it changes. Without it a file of DB-IP is used that comes with Landfall.',
    )
    .meta({ fallback: 'bundled' }),
});
export type GatewayConfig = z.output<typeof GatewayConfig> & { PUBLIC_URL: string; LINK_DOMAIN: string };

export const gatewayConfig = (env: NodeJS.ProcessEnv = process.env): GatewayConfig =>
  completed(readConfig(GatewayConfig, env));

/** The further settings of a gateway in its own process. Several may run. */
export const ScaledOutConfig = z.object({ ...LogConfig.shape, ...KafkaConfig.shape });
export type ScaledOutConfig = z.output<typeof ScaledOutConfig>;

export function scaledOutConfig(env: NodeJS.ProcessEnv): ScaledOutConfig & { gateway: GatewayConfig } {
  assertScaledOut(env);
  assertSecretsGiven(env);
  return { ...readConfig(ScaledOutConfig, env), gateway: gatewayConfig(env) };
}
