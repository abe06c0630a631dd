import { hash } from 'node:crypto';
import { type Handler, type Message, type Outcome, told } from '@landfall/bus';
import { type CreateLink, type InputOf, type JsonObject, type Link, LinkCreated, labelsOf } from '@landfall/contracts';
import { sortKeys } from '@landfall/runtime';
import { decideCreates, monthOf } from '../domain/quota.ts';
import { slugOf } from '../domain/slug.ts';
import type { LinkRepository, NewLink } from '../link-repository.ts';

type Prepared = NewLink & Pick<InputOf<typeof CreateLink>, 'plan' | 'labelKeys'>;

export function createLink(links: LinkRepository): Handler<typeof CreateLink> {
  return async (batch) => {
    const asked = batch.map(prepare);
    // Nearly every batch holds only new links of plans that have room for all of them, and none with an entry in the
    // audit log. All other requests are decided one by one.
    const allDiffer = new Set(asked.map(({ link }) => link.id)).size === asked.length;
    const simple = allDiffer ? asked.filter(({ by }) => by === null) : [];
    const made = simple.length > 0 ? await links.insertWhatFits(simple) : new Set<string>();
    const left = asked.filter(({ link }) => !made.has(link.id));
    const decided = left.length === 0 ? [] : await decideOneByOne(links, left);
    return asked.map((one) => (made.has(one.link.id) ? outcomeOf(one.link, one) : decided.shift()!));
  };
}

function decideOneByOne(links: LinkRepository, prepared: readonly Prepared[]): Promise<Outcome<typeof CreateLink>[]> {
  const asked = prepared.map(({ link: { id, appId, destination, metadata }, month, inputHash, plan }) => {
    const givenHash = hashOf(appId, destination, metadata).toString('hex');
    return { id, appId, month, plan, inputHash: inputHash.toString('hex'), givenHash };
  });
  return links.transaction(async (tx) => {
    // The lock comes first. The results of earlier requests with these ids are read when no other transaction can
    // change them any more.
    const [used, existing] = await Promise.all([links.lockUsage(tx, asked), links.findMade(tx, asked)]);
    const decisions = decideCreates(asked, new Map([...existing].map(([id, made]) => [id, made.inputHash])), used);
    const made = prepared.filter((_, i) => decisions[i]!.kind === 'make');
    links.insert(tx, made);
    const byId = new Map(made.map(({ link }) => [link.id, link]));

    return decisions.map((decision, i): Outcome<typeof CreateLink> => {
      if (decision.kind === 'id reused') return { refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
      if (decision.kind === 'limit reached') {
        const { kind: _, ...facts } = decision;
        return { refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts } };
      }
      const one = prepared[i]!;
      return outcomeOf(byId.get(one.link.id) ?? asMade(one.link, existing.get(one.link.id)!.link), one);
    });
  });
}

function outcomeOf(link: Link, { labelKeys }: { labelKeys: readonly string[] }): Outcome<typeof CreateLink> {
  const { id: linkId, appId, slug, destination, metadata } = link;
  const data = { linkId, appId, slug, destination, version: 1, labels: labelsOf(metadata, labelKeys) };
  return { reply: { link }, events: [told(LinkCreated, data)] };
}

function prepare({ data, context: { id, now } }: Message<InputOf<typeof CreateLink>>): Prepared {
  const { appId, destination, metadata, plan, labelKeys, by, repeatable = false } = data;
  // Sorting costs more than the hash, and most links are requested only once.
  const inputHash = hashOf(appId, destination, repeatable ? sortKeys(metadata) : metadata);
  const link: Link = {
    id,
    appId,
    slug: slugOf(now, data.random),
    destination,
    metadata,
    createdAt: now.toISOString(),
    expiresAt: null,
    archivedAt: null,
    version: 1,
  };
  return { link, month: monthOf(now), inputHash, by, plan, labelKeys };
}

/** Returns a link that exists as it was first answered, without later edits. The hash shows that the request is the same. */
const asMade = (asked: Link, { slug, createdAt }: Link): Link => ({ ...asked, slug, createdAt });

const hashOf = (...asked: [appId: string, destination: string, metadata: JsonObject]): Buffer =>
  hash('sha256', JSON.stringify(asked), 'buffer');
