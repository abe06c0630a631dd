// The stories that all clients replay, with the product instead of the recorded answers: so the records are true.
import { expect, it } from 'vitest';
import { readVectors, replay, type Vector } from '../../../clients/javascript/client/src/vectors.testing.ts';
import type { Answer, Asked } from '../../../clients/javascript/client/src/world.testing.ts';
import { systemOfFile } from '../calls.ts';
import { type Pairs, stageOf } from './stage.ts';

const { system, calls } = await systemOfFile({ LINK_DOMAIN: 'links.test:8080' });

/** What the product makes anew when it is asked. */
const NEW = ['pendingLinkId', 'pending_link_id', 'matchedAt', 'addressToken'];
const NEW_IN = { '/api/links/create-sdk': ['id', 'slug'] } as Record<string, string[]>;

/** What the product cannot be made to answer here: it is too busy, or somebody else answers in its place. */
const isFault = ({ status, json }: Answer) => status === 429 || status === 503 || json === undefined;

const replaced = <T>(value: T, pairs: Pairs): T =>
  value === undefined
    ? value
    : JSON.parse(pairs.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value)));

/** What the fields of these names have in a record, and what in an answer. */
function newIn(recorded: unknown, answered: unknown, names: readonly string[]): Pairs {
  if (!isObject(recorded) || !isObject(answered)) return [];
  return Object.entries(recorded).flatMap(([name, value]): Pairs => {
    const other = answered[name];
    return names.includes(name) && typeof value === 'string' && typeof other === 'string'
      ? [[value, other]]
      : newIn(value, other, names);
  });
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const vectors = readVectors(`${import.meta.dirname}/../../../clients/vectors`).filter(([, { real }]) => real !== false);

it.each(vectors)('%s', async (_name, vector: Vector) => {
  const { key, ip, ipv6, pairs } = await stageOf(vector, system, calls);
  const story = replaced(vector, pairs);
  /** The client gets what is recorded in place of what is new, and the product what it made. */
  const news: Pairs = [];
  async function exchange({ method, host, path, query, body, headers }: Asked, recorded: Answer): Promise<Answer> {
    if (isFault(recorded)) return recorded;
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
    const from = host.startsWith('v6.') ? ipv6 : ip;
    const sent = { method, path: path + search, body: replaced(body, news), headers, ip: from };
    const { status, json, headers: answered } = await system.send(sent);
    const found = newIn(recorded.json, json, [...NEW, ...(NEW_IN[path] ?? [])]);
    news.push(...found);
    const answer = replaced(
      json,
      found.map(([from, to]) => [to, from]),
    );
    expect({ status, json: answer }, `${method} ${path}`).toEqual({ status: recorded.status, json: recorded.json });
    await system.settled();
    return { status, json: answer, headers: answered as Record<string, string> };
  }
  const passes = (ms: number) => system.clock.advance({ ms });
  await replay({ ...story, configure: { key, ...story.configure } }, { exchange, passes });
});
