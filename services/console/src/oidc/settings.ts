// The settings of sign-in through an OpenID Connect provider. They are optional.
import { StartError } from '@landfall/runtime';
import { z } from 'zod';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;

export const OidcConfig = z.object({
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https URL', abort: true })
    .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be an https URL')
    .optional()
    .describe(
      'The issuer URL of the OpenID Connect provider for sign-in. Its configuration is at this URL and `/.well-known/openid-configuration`.',
    ),
  OIDC_CLIENT_ID: z.string().max(1_000).optional().describe('The client id of this installation at the provider.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .max(4_000)
    .optional()
    .describe('The client secret of this installation.')
    .meta({ secret: true }),
  OIDC_NAME: z
    .string()
    .max(100)
    .optional()
    .describe('The name of the provider on the sign-in button.')
    .meta({ fallback: "OIDC_ISSUER's host" }),
  OIDC_DOMAINS: z
    .string()
    .transform(parseDomains)
    .optional()
    .describe(
      'Email domains, comma-separated. A person with such an email gets an account at the first sign-in through the provider. Other people need an account or an invitation.',
    ),
});

/** Returns the settings. Undefined when none is set. Throws {@link StartError} when only some are set. */
export function oidcOf(config: z.output<typeof OidcConfig>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  const names = Object.keys(OidcConfig.shape) as (keyof typeof config)[];
  const given = names.find((name) => config[name] !== undefined);
  if (given === undefined) return undefined;
  if (!issuer || !clientId || !clientSecret) {
    const missing = names.slice(0, 3).find((name) => !config[name]);
    throw new StartError(
      `${missing} is not set, and ${given} is: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of OIDC_*.`,
    );
  }
  const name = config.OIDC_NAME ?? new URL(issuer).host;
  return { issuer, clientId, clientSecret, name, domains: config.OIDC_DOMAINS ?? [] };
}

export type OidcSettings = NonNullable<ReturnType<typeof oidcOf>>;

export const isLoopback = (url: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

function parseDomains(value: string, context: z.RefinementCtx): string[] {
  const domains = value
    .toLowerCase()
    .split(',')
    .map((domain) => domain.trim())
    .filter(Boolean);
  if (domains.every((domain) => DOMAIN.test(domain))) return domains;
  context.addIssue({ code: 'custom', message: 'must be domains with commas between, e.g. example.com' });
  return z.NEVER;
}
