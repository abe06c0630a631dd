import { hash } from 'node:crypto';
import { type Handler, type Message, type Outcome, told } from '@landfall/bus';
import { type CreateLink, type InputOf, type JsonObject, type Link, LinkCreated, labelsOf } from '@landfall/contracts';
import { sortKeys } from '@landfall/runtime';
import { decideCreates, monthOf } from '../domain/quota.ts';
import { slugOf } from '../domain/slug.ts';
import type { LinkRepository, NewLink } from '../link-repository.ts';

export function createLink(links: LinkRepository): Handler<typeof CreateLink> {
  return async (batch) => {
    const asked = batch.map(prepare);
    // Nearly every batch holds only new links of plans that have room for all of them, and none with an entry in the
    // audit log. All other requests are decided one by one.
    const allDiffer = new Set(asked.map(({ id }) => id)).size === asked.length;
    const simple = allDiffer ? asked.filter(({ link }) => link.by === null) : [];
    const made = simple.length > 0 ? await links.insertWhatFits(simple) : new Map<string, Link>();
    const left = asked.filter(({ id }) => !made.has(id));
    const decided = left.length === 0 ? [] : await decideOneByOne(links, left);
    return asked.map((one) => {
      const link = made.get(one.id);
      return link ? outcomeOf(link, one) : decided.shift()!;
    });
  };
}

function decideOneByOne(
  links: LinkRepository,
  prepared: readonly ReturnType<typeof prepare>[],
): Promise<Outcome<typeof CreateLink>[]> {
  const asked = prepared.map((one) => ({ ...one, givenHash: givenHash(one.link) }));
  return links.transaction(async (tx) => {
    // The lock comes first. The results of earlier requests with these ids are read when no other transaction can
    // change them any more.
    const [used, existing] = await Promise.all([links.lockUsage(tx, asked), links.findMade(tx, asked)]);
    const decisions = decideCreates(asked, new Map([...existing].map(([id, made]) => [id, made.inputHash])), used);
    const made = asked.flatMap((one, i) => (decisions[i]!.kind === 'make' ? [one.link] : []));
    const inserted = links.insert(tx, made);

    return decisions.map((decision, i): Outcome<typeof CreateLink> => {
      if (decision.kind === 'id reused') return { refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
      if (decision.kind === 'limit reached') {
        const { kind: _, ...facts } = decision;
        return { refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts } };
      }
      const one = asked[i]!;
      return outcomeOf(inserted.get(one.id) ?? asMade(existing.get(one.id)!.link, one.link), one);
    });
  });
}

function outcomeOf(link: Link, { labelKeys }: { labelKeys: readonly string[] }): Outcome<typeof CreateLink> {
  const { id: linkId, appId, slug, destination, metadata } = link;
  const data = { linkId, appId, slug, destination, version: 1, labels: labelsOf(metadata, labelKeys) };
  return { reply: { link }, events: [told(LinkCreated, data)] };
}

function prepare({ data, context }: Message<InputOf<typeof CreateLink>>) {
  const { appId, destination, metadata, plan, labelKeys, by, repeatable = false } = data;
  // Sorting costs more than the hash, and most links are requested only once.
  const inputHash = hashOf(appId, destination, repeatable ? sortKeys(metadata) : metadata);
  const slug = slugOf(context.now, data.random);
  const { id, now } = context;
  const month = monthOf(now);
  const link: NewLink = { id, appId, month, slug, destination, metadata, inputHash, createdAt: now, by };
  return { id, appId, month, inputHash: inputHash.toString('hex'), plan, labelKeys, link };
}

const hashOf = (...asked: [appId: string, destination: string, metadata: JsonObject]): Buffer =>
  hash('sha256', JSON.stringify(asked), 'buffer');

const givenHash = ({ appId, destination, metadata }: NewLink): string =>
  hashOf(appId, destination, metadata).toString('hex');

/** Returns the link as it was first answered, without later edits. The hash shows that the request is the same. */
const asMade = (link: Link, { destination, metadata }: NewLink): Link => ({
  ...link,
  destination,
  metadata,
  expiresAt: null,
  archivedAt: null,
  version: 1,
});
