import { isDeceptive, Plan } from '@landfall/contracts';
import { assertSecretsGiven, completed, HttpConfig } from '@landfall/http';
import { assertScaledOut, integer, readConfig, StartError } from '@landfall/runtime';
import { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from '@landfall/worker';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { MailConfig, mailOf } from './mail/settings.ts';
import { OidcConfig, oidcOf } from './oidc/settings.ts';

export const ConsoleConfig = z.object({
  ...HttpConfig.shape,
  WEB_APP_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The folder of the built web app. The image contains it. `npm start` builds its own. Without it the console serves the API alone.',
    ),
  DEMO_TEAM: z
    .uuid()
    .optional()
    .describe(
      'The id of a team that everyone may look at without sign-in, as a viewer: a public demo. Members and the history of links stay hidden. Nobody becomes more than a viewer by it.',
    ),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform(parseServers)
    .describe(
      'DNS servers for the TXT records of custom domains, comma-separated: `address` or `address:port`. Without them the DNS servers of the machine are used.',
    ),
  ASSOCIATION_CHECKS: z
    .enum(['off', 'hosts', 'all'])
    .default('all')
    .describe(
      'The hourly check of the association files of every app, if PUBLIC_URL is https. `hosts`: on the hosts of the apps. `all`: also the copies at Apple and Google, which phones read. `off`: none, for a console without a way to the public hosts.',
    ),
  MCP: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether `/mcp` answers language models that have a token of a person. `off`: it is as if there were no such path.',
    ),
  PRIVATE_WEBHOOKS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      "Whether reports and alerts may go to webhooks inside of the operator's network: to private addresses, and without TLS. With `on` every member of a team can make Landfall send requests there.",
    ),
  ...OidcConfig.shape,
  ...MailConfig.shape,
});
export type ConsoleConfig = z.output<typeof ConsoleConfig> & { PUBLIC_URL: string; LINK_DOMAIN: string };

export function consoleConfig(env: NodeJS.ProcessEnv = process.env): ConsoleConfig {
  const config = completed(readConfig(ConsoleConfig, env));
  oidcOf(config);
  mailOf(config);
  return config;
}

/** Parses server addresses in the format of node:dns. */
function parseServers(value: string, context: z.RefinementCtx): string[] {
  const servers = value
    .split(',')
    .map((server) => server.trim())
    .filter(Boolean);
  const isServer = (server: string) =>
    ipaddr.isValid(server.replace(/^(\[[\da-f:]+\]|[\d.]+):\d{1,5}$/i, '$1').replace(/^\[|\]$/g, ''));
  if (servers.every(isServer)) return servers;
  context.addIssue({ code: 'custom', message: 'must be addresses of name servers, comma-separated' });
  return z.NEVER;
}

/** The first owner of the instance, for starts without a person. */
export const InitOwnerConfig = z.object({
  LANDFALL_INIT_OWNER_EMAIL: z
    .string()
    .trim()
    .refine((email) => !isDeceptive(email), {
      error: 'must contain no invisible character, and none that is easily taken for an ASCII character',
    })
    .toLowerCase()
    .max(320)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
    .optional()
    .describe('Makes this person the first owner of an instance that has none. Nothing is changed when it has one.'),
  LANDFALL_INIT_OWNER_PASSWORD: z
    .string()
    .max(1_024)
    .optional()
    .describe('Their password, at least 10 characters. It is never reset: taking it away afterwards is best.')
    .meta({ secret: true }),
});

/** Returns the first owner that the environment names. Undefined: it names none. */
export function initOwnerOf(config: z.output<typeof InitOwnerConfig>) {
  const { LANDFALL_INIT_OWNER_EMAIL: email, LANDFALL_INIT_OWNER_PASSWORD: password } = config;
  if (!email && !password) return undefined;
  if (!email || !password)
    throw new StartError('LANDFALL_INIT_OWNER_EMAIL and LANDFALL_INIT_OWNER_PASSWORD need each other.');
  return { email, password };
}
export type InitOwner = NonNullable<ReturnType<typeof initOwnerOf>>;

function parsePlan(value: string, context: z.RefinementCtx): Plan {
  const [, name = '', links] = /^([^=]{1,100}?)\s*(?:=\s*(\d{1,10}))?$/.exec(value.trim()) ?? [];
  const plan = Plan.safeParse({ name, linksPerMonth: links === undefined ? null : Number(links) });
  if (plan.success) return plan.data;
  context.addIssue({ code: 'custom', message: 'must be the name of a plan, or name=links a month' });
  return z.NEVER;
}

/** The operator's limits on an installation. They do not apply to instance owners and the operator. */
export const RulesConfig = z.object({
  TEAM_CREATION: z
    .enum(['instance-owner', 'anyone'])
    .default('instance-owner')
    .describe(
      'Who may make teams: `instance-owner`, or `anyone` with an account. The maker of a team can invite people and make apps.',
    ),
  MAX_TEAMS_PER_PERSON: integer(1, 100_000)
    .default(10)
    .describe('Teams that one person may own, if `TEAM_CREATION` is `anyone`.'),
  MAX_APPS_PER_TEAM: integer(1, 100_000)
    .default(100)
    .describe('Apps of a team. Archived ones count, because they keep their names.'),
  MAX_FORMER_SUBDOMAINS: integer(0, 100_000)
    .default(10)
    .describe('Subdomains that an app may have given up. They stay reserved for it, so that old links work.'),
  DEFAULT_PLAN: z
    .string()
    .default('unlimited')
    .transform(parsePlan)
    .describe('The plan of an app that is made: a name without a limit, or `name=links a month`, e.g. `free=1000`.')
    .meta({ fallback: 'unlimited' }),
});
export type Rules = z.output<typeof RulesConfig>;
export const DEFAULT_RULES: Rules = RulesConfig.parse({});

/** The settings of the console as a process of its own. */
export const ConsoleProcessConfig = z.object({
  ...ConsoleConfig.shape,
  ...WorkerConfig.shape,
  ...InitOwnerConfig.shape,
  ...RulesConfig.shape,
  ...AuditRetentionConfig.shape,
  OWNER_TOKEN: z
    .string()
    .regex(/^lf_[0-9a-f]{32}$/, 'must be lf_ and 32 hexadecimal digits')
    .optional()
    .describe(
      'A token that opens `/api/manage`: `lf_` and 32 hexadecimal digits, e.g. of `openssl rand -hex 16`. Only its hash is stored; taking the variable away does not revoke it.',
    )
    .meta({ secret: true, fallback: 'made by `npm start`' }),
});
export type ConsoleProcessConfig = z.output<typeof ConsoleProcessConfig> & { PUBLIC_URL: string; LINK_DOMAIN: string };

export function consoleProcessConfig(env: NodeJS.ProcessEnv): ConsoleProcessConfig {
  assertScaledOut(env);
  assertSecretsGiven(env);
  const config = completed(readWorkerConfig(ConsoleProcessConfig, env));
  oidcOf(config);
  mailOf(config);
  return config;
}
