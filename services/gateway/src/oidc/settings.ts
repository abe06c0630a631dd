// The settings of signing in through a provider of OpenID Connect, which is optional.
import { StartError } from '@landfall/runtime';
import { z } from 'zod';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;

export const OidcConfig = z.object({
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https URL', abort: true })
    .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be an https URL')
    .optional()
    .describe(
      'The provider of OpenID Connect through which people may sign in, by the URL that it calls itself; `/.well-known/openid-configuration` follows it.',
    ),
  OIDC_CLIENT_ID: z.string().max(1_000).optional().describe('What the provider calls this installation.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .max(4_000)
    .optional()
    .describe('The secret that it has given to this installation.')
    .meta({ secret: true }),
  OIDC_NAME: z
    .string()
    .max(100)
    .optional()
    .describe('What people call the provider, for the button.')
    .meta({ fallback: "OIDC_ISSUER's host" }),
  OIDC_DOMAINS: z
    .string()
    .transform(parseDomains)
    .optional()
    .describe(
      'Who has an email of these domains, comma-separated, gets an account at the first sign-in through the provider. Others get in who have an account or an invitation.',
    ),
});

/** The provider, and who we are to it. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  domains: readonly string[];
}

/** Undefined when nothing of it is set. Throws {@link StartError} when it is set in part. */
export function oidcOf(config: z.output<typeof OidcConfig>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  const names = Object.keys(OidcConfig.shape) as (keyof typeof config)[];
  const given = names.find((name) => config[name] !== undefined);
  if (given === undefined) return undefined;
  if (!issuer || !clientId || !clientSecret) {
    const missing = names.slice(0, 3).find((name) => !config[name]);
    throw new StartError(
      `${missing} is not set, and ${given} is: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or nothing of OIDC_*.`,
    );
  }
  const name = config.OIDC_NAME ?? new URL(issuer).host;
  return { issuer, clientId, clientSecret, name, domains: config.OIDC_DOMAINS ?? [] };
}

/** True when a URL leads only to this machine. */
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
