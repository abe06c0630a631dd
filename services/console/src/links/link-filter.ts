// The filter of lists of links.
import { linkStates, text } from '@landfall/contracts';
import { z } from 'zod';
import { anyTime, id, inUtc } from '../routes/manage-fields.ts';
import { tagText } from './link-fields.ts';

export const linkFilter = {
  state: z
    .enum([...linkStates, 'all'])
    .default('all')
    .describe('`archived`; `expired`: expired and not archived; `live`: neither.'),
  search: text(4096)
    .min(1)
    .optional()
    .describe(
      'Finds links of people by any part of their name, slug and destination: all words must be there. They come first. Finds links of keys by the beginning of the destination if it starts with `/`, else of the slug; among the newest 10,000 links also by any part of the destination. For a URL, with its scheme or without, the last part of its path counts. `/slug` finds the link of this slug, too.',
    ),
  tag: tagText().optional().describe('Only links with this tag.'),
  campaign: text(255)
    .min(1)
    .optional()
    .describe('Only links of people with this `utm_campaign` in their destination. Capitals do not matter.'),
  origin: z
    .enum(['people', 'keys', 'all'])
    .default('all')
    .describe(
      '`people`: made, named or tagged by people or their tokens. `keys`: all others, made by SDK and server keys.',
    ),
  createdBy: id().optional().describe('Only links that this person made, also by a token.'),
  createdFrom: anyTime().optional().describe('Only links created at this time or later.'),
  createdBefore: anyTime().optional().describe('Only links created before this time.'),
};

export type LinkFilter = z.output<z.ZodObject<typeof linkFilter>>;

export const filterOf = ({ state, search, tag, campaign, origin, createdBy, ...created }: LinkFilter) => ({
  state,
  search: search ?? null,
  tag: tag ?? null,
  campaign,
  origin,
  userId: createdBy ?? null,
  createdFrom: created.createdFrom ? inUtc(created.createdFrom) : null,
  createdBefore: created.createdBefore ? inUtc(created.createdBefore) : null,
});
