// The campaign values of the taps and links of an app, so that people choose one instead of a new spelling.
import { type AnalyticsDimension, ListLinkUtm, QueryAnalytics, type UtmName, utmNames } from '@landfall/contracts';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';

const DAYS = 90;
/** Of taps, and of links, for each name. */
const MOST = 50;

const used = z.array(z.object({ value: z.string(), clicks: z.int() }));

export const listUtmValues = manageRoute('GET /api/manage/apps/:appId/utm-values', {
  summary: `List the campaign values of the last ${DAYS} days with their clicks; the most clicked first, then those that only links have`,
  needs: { role: 'viewer', of: 'app' },
  reply: z.object({ values: z.object(Object.fromEntries(utmNames.map((name) => [name, used])) as Values) }),
  errors: ['TOO_MANY_QUESTIONS'],
  async handle({ params: { appId } }, { forward, lookups, now }) {
    await lookups.existingApp(appId);
    const asked = { appId, caller: 'utm-values', metric: 'clicks', interval: 'total', limit: MOST } as const;
    const range = { from: new Date(now().getTime() - DAYS * 86_400_000).toISOString().slice(0, 10), to: null };
    const ofLinks = await forward(ListLinkUtm, { appId, limit: MOST });
    const values = await Promise.all(
      utmNames.map(async (name) => {
        const dimension = DIMENSIONS[name];
        const { groups } = await forward(QueryAnalytics, { ...asked, ...range, groupBy: dimension, filters: [] });
        const named = (groups ?? []).flatMap(({ value, total }) => (value === null ? [] : [{ value, clicks: total }]));
        const tapped = new Set(named.map(({ value }) => value.trim().toLowerCase()));
        const others = ofLinks.values.filter((one) => one.name === name && !tapped.has(one.value.toLowerCase()));
        return [name, [...named, ...others.map(({ value }) => ({ value, clicks: 0 }))]] as const;
      }),
    );
    return { values: Object.fromEntries(values) as Record<UtmName, z.input<typeof used>> };
  },
});

const DIMENSIONS = {
  source: 'utmSource',
  medium: 'utmMedium',
  campaign: 'utmCampaign',
  term: 'utmTerm',
  content: 'utmContent',
} as const satisfies Record<UtmName, AnalyticsDimension>;

type Values = Record<UtmName, typeof used>;
