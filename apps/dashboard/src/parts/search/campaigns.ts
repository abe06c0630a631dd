// Finds a campaign by its name, among those that taps and links of the app have.
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/index.ts';
import { filterText } from '../analytics/view.ts';
import type { FoundGroup } from '../shell/finder.tsx';
import { plain } from './pages.ts';
import { SHORTEST } from './things.tsx';

const MOST_CAMPAIGNS = 5;
/** Milliseconds. A person types many texts, and campaigns are new rarely. */
const FRESH_MS = 60_000;

/** Returns the campaigns that have this text in their name. Each leads to its figures. */
export function useCampaigns(appId: string | undefined, q: string) {
  const t = useTranslations('search');
  const router = useRouter();
  const enabled = appId !== undefined && q.length >= SHORTEST;
  const params = { path: { appId: appId ?? '' } };
  const { data, isPending } = useQuery({
    ...api.queryOptions('get', '/api/manage/apps/{appId}/utm-values', { params }, { staleTime: FRESH_MS }),
    enabled,
    retry: false,
  });
  const groups = useMemo((): FoundGroup[] => {
    if (!enabled || data === undefined) return [];
    const found = data.values.campaign.filter(({ value }) => plain(value).includes(plain(q)));
    if (found.length === 0) return [];
    const items = found.slice(0, MOST_CAMPAIGNS).map(({ value, clicks }) => ({
      id: `campaign ${value}`,
      label: value,
      detail: t('taps', { count: clicks }),
      href: router.buildLocation({
        to: '/apps/$appId/analytics',
        params: { appId },
        search: { filter: [filterText({ dimension: 'utmCampaign', value })] },
      }).href,
    }));
    return [{ name: t('groups.campaigns'), items }];
  }, [enabled, data, appId, q, t, router]);
  return { groups, isPending: enabled && isPending };
}
