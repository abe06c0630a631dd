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

/** For people who run a Landfall, in this order. */
const RUN = [
  'guides/docker-compose',
  'guides/scaling-out',
  'scaling',
  'operations',
  'guides/grafana',
  'guides/clickhouse',
  'guides/ipv6',
];

const GROUP_OF = {
  guides: 'guides',
  operations: 'guides',
  reference: 'reference',
  clients: 'reference',
  explanation: 'explanation',
} as const satisfies Record<Guide['section'], string>;

const listed = (slugs: readonly string[]) =>
  guides.filter(({ slug }) => slugs.includes(slug)).sort((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug));
const inGroup = (group: string) =>
  guides.filter(({ slug, section }) => GROUP_OF[section] === group && ![...START, ...RUN].includes(slug));

export const groups = [
  { name: 'start', pages: listed(START) },
  { name: 'guides', pages: inGroup('guides') },
  { name: 'run', pages: listed(RUN) },
  { name: 'reference', pages: inGroup('reference') },
  { name: 'explanation', pages: inGroup('explanation') },
] as const;
