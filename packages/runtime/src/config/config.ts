// Configuration from the environment. A service's config.ts holds a zod object of described variables, from which
// docs/reference/configuration.md is made, too.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Ends the start of a process. The message is one sentence that tells the operator what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variable's value, or the content of the file that `NAME_FILE` names. An empty value counts as not set. */
function readVariable(name: string, env: Env): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new StartError(`${name} and ${name}_FILE are both set: keep one of them.`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new StartError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

/** Throws {@link StartError} with a sentence that names the first wrong variable. Only config.ts files pass `env`. */
export function readConfig<T extends z.ZodRawShape>(schema: z.ZodObject<T>, env: Env): z.output<z.ZodObject<T>> {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, readVariable(name, env)]));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const name = String(issue.path[0]);
  const shown = isSecret(schema.shape[name]) || given[name] === undefined ? '' : ` (it is "${given[name]}")`;
  throw new StartError(`${name} ${given[name] === undefined ? 'is not set' : issue.message}${shown}.`);
}

const isSecret = (field: unknown) => (field as z.ZodType | undefined)?.meta()?.secret === true;

/** Returns the rows of docs/reference/configuration.md. */
export function describeConfig(schema: z.ZodObject) {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const meta = (field as z.ZodType).meta() ?? {};
    if (meta.forTests) return [];
    const parsed = (field as z.ZodType).safeParse(undefined);
    const fallback = meta.fallback ?? (parsed.success ? (parsed.data ?? '') : '');
    return [{ name, fallback: String(fallback), description: String(meta.description ?? '') }];
  });
}

export function readList(value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter(Boolean);
}

/** In lower case. */
export const readNames = (value: string): string[] => readList(value.toLowerCase());

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/** Gives a URL a host: `postgresql://user@/name?host=/run/postgresql` has none, which is no URL to the standard. */
export const withHost = (url: string): string => url.replace(/^([^:]+:\/\/[^/?#]*@)\//, '$1socket/');

export const databaseUrl = () =>
  z.string().refine(
    (text) => {
      try {
        return /^postgres(ql)?:$/.test(new URL(withHost(text)).protocol);
      } catch {
        return false;
      }
    },
    { error: 'must be a postgresql:// URL' },
  );

/** The host and port, or the socket, without the user and the password. */
export function databaseHost(url: string): string {
  const { host, hostname, searchParams } = new URL(withHost(url));
  return searchParams.get('host') ?? (hostname.startsWith('%2') ? decodeURIComponent(hostname) : host || 'localhost');
}
