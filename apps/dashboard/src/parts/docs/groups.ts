// The pages of the documentation in the order of a reader: what to read first, then how, then facts, then why.
import { type Guide, guides } from 'virtual:guides';

/** Read first, in this order. */
const START = [
  'guides/first-app',
  'guides/web-app',
  'guides/add-to-an-app',
  'guides/real-phone',
  'guides/try-a-link',
  'guides/move-from-others',
];

const GROUP_OF = {
  guides: 'guides',
  operations: 'guides',
  reference: 'reference',
  clients: 'reference',
  explanation: 'explanation',
} as const satisfies Record<Guide['section'], string>;

const isStart = ({ slug }: Guide): boolean => START.includes(slug);
const inGroup = (group: string) => guides.filter((guide) => GROUP_OF[guide.section] === group && !isStart(guide));

export const groups = [
  {
    name: 'start',
    pages: guides.filter(isStart).sort((a, b) => START.indexOf(a.slug) - START.indexOf(b.slug)),
  },
  { name: 'guides', pages: inGroup('guides') },
  { name: 'reference', pages: inGroup('reference') },
  { name: 'explanation', pages: inGroup('explanation') },
] as const;
