// The rows of made-up links, as the link service would have them after the made-up events of their creation.
import { type DataOf, LinkCreated } from '@landfall/contracts';
import type { DemoEvent } from '@landfall/demo-data';
import type { DemoLink } from '@landfall/link';

/**
 * Returns the links that the events create.
 * @param maker the person who made those of campaigns. Null: the operator
 */
export const linksIn = (events: readonly DemoEvent[], maker: string | null): DemoLink[] =>
  events
    .filter(({ event }) => event === LinkCreated)
    .map(({ data, now }) => {
      const { linkId, appId, slug, destination, labels } = data as DataOf<typeof LinkCreated>;
      const {
        utm_campaign: campaign,
        utm_source: source,
        utm_medium: medium,
        utm_content: content,
      } = utmOf(destination);
      return {
        id: linkId,
        appId,
        slug,
        destination,
        metadata: labels,
        createdAt: now,
        // People make the links of campaigns, and a key makes invites.
        name:
          campaign === undefined
            ? null
            : capital([...new Set([campaign, source, content])].join(' ').replaceAll('-', ' ')),
        makerUserId: campaign === undefined ? null : maker,
        tags: [campaign, medium].filter((tag) => tag !== undefined),
      };
    });

const utmOf = (destination: string): Partial<Record<string, string>> =>
  Object.fromEntries(new URL(destination, 'https://app.example').searchParams);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
