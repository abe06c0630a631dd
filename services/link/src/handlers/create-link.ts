import { hash } from 'node:crypto';
import { type Handler, type Message, type Outcome, told } from '@landfall/bus';
import {
  type CreateLink,
  type InputOf,
  type JsonObject,
  type Link,
  LinkCreated,
  labelsOf,
  MAX_APP_TAGS,
} from '@landfall/contracts';
import type { SqlTransaction } from '@landfall/db';
import { sortKeys } from '@landfall/runtime';
import { fieldNames, isSet } from '../domain/edit.ts';
import { countMade, type Decision, decideCreate, type LinkRequest, monthOf } from '../domain/quota.ts';
import { likeSlug, SUGGESTIONS, slugOf } from '../domain/slug.ts';
import type { LinkRepository } from '../repositories/link-repository.ts';
import type { NewLink } from '../repositories/new-link-repository.ts';

type Asked = InputOf<typeof CreateLink>;
type Refused = Extract<Outcome<typeof CreateLink>, { refusal: unknown }>;

interface Prepared extends NewLink {
  asked: Asked;
  plan: Asked['plan'];
  /** True when nobody else can have the slug, and the link has no field of people. */
  plain: boolean;
}

export function createLink(links: LinkRepository): Handler<typeof CreateLink> {
  return async (batch) => {
    const asked = batch.map(prepare);
    // Nearly every batch holds only new links of keys, of plans that have room for all of them. All other requests are
    // decided one by one.
    const allDiffer = new Set(asked.map(({ link }) => link.id)).size === asked.length;
    const simple = allDiffer ? asked.filter(({ plain }) => plain) : [];
    const made = simple.length > 0 ? await links.insertWhatFits(simple) : new Set<string>();
    const left = asked.filter(({ link }) => !made.has(link.id));
    const decided = left.length === 0 ? [] : await decideOneByOne(links, left);
    return asked.map((one) => (made.has(one.link.id) ? outcomeOf(one.link, one) : decided.shift()!));
  };
}

function decideOneByOne(links: LinkRepository, prepared: readonly Prepared[]): Promise<Outcome<typeof CreateLink>[]> {
  const requests = prepared.map(requestOf);
  return links.transaction(async (tx) => {
    // The lock comes first. The results of earlier requests with these ids are read when no other transaction can
    // change them any more.
    const [used, existing] = await Promise.all([links.lockUsage(tx, requests), links.findMade(tx, requests)]);
    const hashes = new Map([...existing].map(([id, { inputHash }]) => [id, inputHash]));
    const known = new Map([...existing].map(([id, { link }]) => [id, link]));
    const plain: Prepared[] = [];
    const outcomes: Outcome<typeof CreateLink>[] = [];
    for (const [i, one] of prepared.entries()) {
      const request = requests[i]!;
      const decision = decideCreate(request, hashes, used);
      if (decision.kind === 'make') {
        const made = one.plain ? one.link : await insertChosen(links, tx, one);
        if ('refusal' in made) {
          outcomes.push(made);
          continue;
        }
        if (one.plain) plain.push(one);
        known.set(made.id, made);
        countMade(request, hashes, used);
      }
      outcomes.push(refusalOf(decision) ?? outcomeOf(asMade(one.link, known.get(one.link.id)!), one));
    }
    links.insertAll(tx, plain);
    return outcomes;
  });
}

/** Stores a link that may find its slug taken, or its app full of tags. */
async function insertChosen(links: LinkRepository, tx: SqlTransaction, one: Prepared): Promise<Link | Refused> {
  const { appId, slug: generated, tags = [] } = one.link;
  const { slug, shortSlugs = [] } = one.asked;
  if (tags.length > 0 && (await links.tagsWith(tx, appId, tags)) > MAX_APP_TAGS)
    return { refusal: { code: 'TOO_MANY_TAGS', facts: { limit: MAX_APP_TAGS } } };
  const made = await links.insertOne(tx, one, slug === undefined ? [...shortSlugs, generated] : [slug]);
  if (made) return made;
  const like = likeSlug(slug ?? generated);
  const taken = await links.takenOf(tx, appId, like);
  const suggestions = like.filter((one) => !taken.has(one)).slice(0, SUGGESTIONS);
  return { refusal: { code: 'SLUG_TAKEN', facts: { suggestions } } };
}

function refusalOf(decision: Decision): Refused | null {
  if (decision.kind === 'id reused') return { refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
  if (decision.kind !== 'limit reached') return null;
  const { kind: _, ...facts } = decision;
  return { refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts } };
}

/** A request that is sent again gets the same answer, and its event is the same with its first time. */
function outcomeOf(link: Link, { asked: { labelKeys } }: Prepared): Outcome<typeof CreateLink> {
  const { id: linkId, appId, slug, destination, metadata, name, tags, createdAt } = link;
  const labels = labelsOf(metadata, labelKeys);
  const data = { linkId, appId, slug, destination, version: 1, labels, name: name ?? null, tags };
  return { reply: { link }, events: [told(LinkCreated, data, new Date(createdAt))] };
}

const NO_TAGS: string[] = [];

function prepare({ data: asked, context: { id, now } }: Message<Asked>): Prepared {
  const { appId, destination, metadata, plan, by, repeatable = false } = asked;
  const more = moreOf(asked);
  // Sorting costs more than the hash, and most links are requested only once.
  const inputHash = hashOf(appId, destination, repeatable ? sortKeys(metadata) : metadata, more);
  const link: Link = {
    id,
    appId,
    slug: slugOf(now, asked.random),
    destination,
    metadata,
    createdAt: now.toISOString(),
    expiresAt: asked.expiresAt ?? null,
    archivedAt: null,
    version: 1,
    name: asked.name ?? null,
    note: asked.note ?? null,
    tags: asked.tags ?? NO_TAGS,
    webUrl: asked.webUrl ?? null,
    iosUrl: asked.iosUrl ?? null,
    androidUrl: asked.androidUrl ?? null,
    expiredUrl: asked.expiredUrl ?? null,
    madeBy: asked.madeBy ?? null,
  };
  const plain = by === null && more === null && link.madeBy === null;
  return { link, month: monthOf(now), inputHash, by, plan, asked, plain };
}

/** Returns the fields of the request that only people send. Null: none, as in nearly all requests. */
function moreOf(asked: Asked): JsonObject | null {
  const names = MORE.filter((name) => isSet(asked[name]));
  if (names.length === 0) return null;
  // Which short slugs are tried does not matter.
  return Object.fromEntries(names.map((name) => [name, name === 'shortSlugs' ? true : asked[name]]));
}

const MORE = [...fieldNames, 'expiresAt', 'slug', 'shortSlugs'] as const;

function requestOf({
  link: { id, appId, destination, metadata },
  month,
  inputHash,
  plan,
  asked,
}: Prepared): LinkRequest {
  const more = moreOf(asked);
  const earlierHashes = [hashOf(appId, destination, metadata, more)];
  // Versions before set the expiry with a second command.
  if (more !== null && Object.keys(more).every((name) => name === 'expiresAt'))
    earlierHashes.push(
      hashOf(appId, destination, metadata, null),
      hashOf(appId, destination, sortKeys(metadata), null),
    );
  return {
    id,
    appId,
    month,
    plan,
    inputHash: inputHash.toString('hex'),
    earlierHashes: earlierHashes.map((one) => one.toString('hex')),
  };
}

/** Returns a link that exists as it was first answered, without later edits. The hash shows that the request is the same. */
const asMade = (asked: Link, { slug, createdAt }: Link): Link => ({ ...asked, slug, createdAt });

/** Without fields of people the hash is that of versions before. */
const hashOf = (appId: string, destination: string, metadata: JsonObject, more: JsonObject | null): Buffer =>
  hash('sha256', JSON.stringify([appId, destination, metadata, ...(more === null ? [] : [more])]), 'buffer');
