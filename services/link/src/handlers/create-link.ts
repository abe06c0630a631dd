import { createHash } from 'node:crypto';
import { type Handler, type Message, type Outcome, told } from '@landfall/bus';
import { type CreateLink, type InputOf, LinkCreated } from '@landfall/contracts';
import { decideCreates, monthOf, usageKey } from '../domain/quota.ts';
import { slugOf } from '../domain/slug.ts';
import type { LinkRepository, NewLink } from '../link-repository.ts';

export function createLink(links: LinkRepository): Handler<typeof CreateLink> {
  return async (batch) => {
    const asked = batch.map(prepare);
    return links.transaction(async (tx) => {
      // The lock comes first: what these ids did before is read when nobody else can do it any more.
      const used = await links.lockUsage(tx, asked);
      const ids = asked.map((one) => one.id);
      const existing = await links.findById(ids, tx);
      const decisions = decideCreates(asked, new Map([...existing].map(([id, link]) => [id, link.inputHash])), used);

      const made = asked.filter((_, i) => decisions[i]!.kind === 'make');
      if (made.length > 0) {
        await links.insert(
          tx,
          made.map((one) => one.link),
        );
        await links.addUsage(tx, countByMonth(made));
      }
      const stored = await links.findById(ids, tx);

      return decisions.map((decision, i): Outcome<typeof CreateLink> => {
        if (decision.kind === 'id reused') return { refusal: { code: 'IDEMPOTENCY_KEY_REUSED', facts: {} } };
        if (decision.kind === 'limit reached') {
          const { kind: _, ...facts } = decision;
          return { refusal: { code: 'GENERATED_LINKS_LIMIT_REACHED', facts } };
        }
        const { inputHash: _, ...link } = stored.get(asked[i]!.id)!;
        const { id: linkId, appId, slug, destination } = link;
        return { reply: { link }, events: [told(LinkCreated, { linkId, appId, slug, destination, version: 1 })] };
      });
    });
  };
}

type Prepared = ReturnType<typeof prepare>;

function prepare({ data, context }: Message<InputOf<typeof CreateLink>>) {
  const { appId, destination, plan } = data;
  const metadata = JSON.stringify(data.metadata);
  const inputHash = createHash('sha256')
    .update(JSON.stringify([appId, destination, metadata]))
    .digest();
  const slug = slugOf(context.now, data.random);
  const link: NewLink = { id: context.id, appId, slug, destination, metadata, inputHash, createdAt: context.now };
  return { id: context.id, appId, month: monthOf(context.now), inputHash: inputHash.toString('hex'), plan, link };
}

function countByMonth(made: readonly Prepared[]) {
  const counts = new Map<string, { appId: string; month: string; count: number }>();
  for (const { appId, month } of made) {
    const key = usageKey({ appId, month });
    counts.set(key, { appId, month, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
