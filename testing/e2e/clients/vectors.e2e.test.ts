// The stories that all clients replay, with the product instead of the recorded answers: so the records are true.
import { freshIp } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { readVectors, replay, type Vector } from '../../../clients/javascript/client/src/vectors.testing.ts';
import type { Answer, Asked } from '../../../clients/javascript/client/src/world.testing.ts';
import { systemOfFile } from '../calls.ts';

const { system, calls } = await systemOfFile();

const RECORDED = {
  key: 'ol_00000000000000000000000000000001',
  host: 'shop.links.example',
  openHost: 'open-shop.links.example',
  link: { id: '7c0f3a52-4f0e-4a53-9c39-2b8d8f1f6a01', slug: '1763737445000-abcdefghijklmn' },
  other: { id: '7c0f3a52-4f0e-4a53-9c39-2b8d8f1f6a02', slug: '1763737446000-nopqrstuvwxyza' },
};
/** What is new at each run, as in a record. */
const NEW = [/"(pendingLinkId|pending_link_id)":"[^"]*"/g, /"(matchedAt)":"[^"]*"/g];

const comparable = (json: unknown) =>
  JSON.parse(NEW.reduce((text, pattern) => text.replace(pattern, '"$1":"new"'), JSON.stringify(json)));

/** What the product cannot be made to answer here: it is too busy, or somebody else answers in its place. */
const isFault = ({ status, json }: Answer) => status === 429 || status === 503 || json === undefined;

/** A made product for one story: an app with the link of the stories, and a phone. */
async function stageOf({ tap }: Vector) {
  const app = await system.makeApp();
  const link = await system.makeLink(app, '/invite?code=7', { campaign: 'spring' });
  const other = await system.makeLink(app, '/offers');
  const ip = freshIp();
  const host = new URL(link.url).host;
  if (tap !== undefined) {
    await calls.tap(link.url, { ip });
    // The phones of the stories installed the app 40 seconds ago.
    system.clock.advance({ minutes: 1 });
  }
  const [, domain = ''] = host.split(/\.(.*)/);
  const pairs: [string, string][] = [
    [RECORDED.key, app.key],
    [RECORDED.openHost, `open-${app.app.subdomain}.${domain}`],
    [RECORDED.host, host],
    [RECORDED.link.id, link.id],
    [RECORDED.link.slug, link.slug],
    [RECORDED.other.id, other.id],
    [RECORDED.other.slug, other.slug],
    ['https://', `${new URL(link.url).protocol}//`],
  ];
  const made = <T>(recorded: T): T =>
    JSON.parse(pairs.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(recorded)));
  async function exchange({ method, path, query, body, headers }: Asked, recorded: Answer): Promise<Answer> {
    if (isFault(recorded)) return recorded;
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
    const answer = await system.send({ method, path: path + search, body, headers, ip });
    expect({ status: answer.status, json: comparable(answer.json) }, `${method} ${path}`).toEqual({
      status: recorded.status,
      json: comparable(recorded.json),
    });
    await system.settled();
    return { status: answer.status, text: answer.text, headers: answer.headers as Record<string, string> };
  }
  return { made, exchange, key: app.key };
}

const vectors = readVectors(`${import.meta.dirname}/../../../clients/vectors`).filter(([, { real }]) => real !== false);

it.each(vectors)('%s', async (_name, vector) => {
  const { made, exchange, key } = await stageOf(vector);
  const story = made(vector);
  const passes = (ms: number) => system.clock.advance({ ms });
  await replay({ ...story, configure: { key, ...story.configure } }, { exchange, passes });
});
