// What our clients send, from the stories that all of them replay in their tests.
import { readFileSync } from 'node:fs';

type Json = { readonly [field: string]: unknown };

const read = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../../../clients/vectors/${name}.json`, import.meta.url), 'utf8'));

/** Returns the names of the fields of every restore in a story. */
export function sentIn(story: string): string[] {
  const values = read('values') as Record<string, Json>;
  const whole = ({ $, ...own }: Json): Json => ($ === undefined ? own : { ...whole(values[$ as string]!), ...own });
  const steps = (read(story).steps as Json[]).map(whole);
  const restores = steps.filter(({ request }) => request === 'POST /api/deferred-deep-linking/restore');
  return restores.flatMap(({ body }) => Object.keys(whole(body as Json)));
}
