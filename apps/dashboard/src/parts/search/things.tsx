// Finds the things of an app by a text: links, starts, devices, taps, pushes and people.

import type { paths } from '@landfall/api-client';
import { linkNameOf } from '@landfall/api-client/link-name';
import { useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { api } from '../../api/index.ts';
import { wordOf } from '../links/page/outcome.ts';
import { reasonOf, useResult } from '../restores/result.ts';
import type { FoundGroup } from '../shell/finder.tsx';
import { shortId } from '../short-id.ts';
import { Ago, dayOf, Sentence } from '../time.tsx';

const SEARCH = '/api/manage/apps/{appId}/search';
type Found = paths[typeof SEARCH]['get']['responses'][200]['content']['application/json']['found'];

/** The shortest text that is searched. */
export const SHORTEST = 2;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

/** Returns the things of the app that fit this text. */
export function useThings(appId: string | undefined, q: string) {
  const t = useTranslations('search');
  const restores = useTranslations('restores');
  const taps = useTranslations('linkEvents');
  const clients = useTranslations('clients');
  const roles = useTranslations('members.roles');
  const result = useResult();
  const format = useFormatter();
  const enabled = appId !== undefined && q.length >= SHORTEST;
  const { data, error, isPending } = api.useQuery(
    'get',
    SEARCH,
    { params: { path: { appId: appId ?? '' }, query: { q } } },
    // The typed text is kept only while the window is open.
    { enabled, gcTime: 0 },
  );
  const groups = useMemo((): FoundGroup[] => {
    if (!enabled || data === undefined) return [];
    const { found } = data;
    const base = `/apps/${appId}`;
    const ofLinks = t('groups.links');
    const deviceOf = ({ device }: Found['restores'][number]) =>
      device === null ? restores('unnamed') : restores('device', { id: shortId(device) });
    const groups: FoundGroup[] = [
      {
        name: t('groups.restores'),
        items: found.restores.map((restore) => ({
          id: `restore ${restore.id}`,
          label: `${result(restore)} · ${format.dateTime(new Date(restore.at), { ...dayOf(restore.at), ...CLOCK })}`,
          detail: `${deviceOf(restore)} · ${reasonOf(restore.summary)}`,
          href: `${base}/restores`,
          searched: q,
        })),
      },
      {
        name: t('groups.devices'),
        items: devicesOf(found, q, (platform) => clients(`platforms.${platform}`)).map(({ id, detail }) => ({
          id: `device ${id}`,
          label: t('timeline', { id: shortId(id) }),
          detail,
          href: `${base}/devices/${id}`,
        })),
      },
      {
        name: t('groups.taps'),
        items: found.taps.map(({ tapId, linkId, at, link, outcome }) => ({
          id: `tap ${tapId}`,
          label: t('tap', { link: linkNameOf(link) }),
          detail: (
            <>
              {taps(`states.${wordOf(outcome)}`)} · <Ago at={at} />
            </>
          ),
          href: `${base}/links/${linkId}?tap=${tapId}`,
        })),
      },
      {
        name: t('groups.pushes'),
        items: found.pushes.map(({ id, title, createdAt }) => ({
          id: `push ${id}`,
          label: title || t('silentPush'),
          detail: <Ago at={createdAt} />,
          href: `${base}/push/${id}`,
        })),
      },
      {
        name: ofLinks,
        items: found.links.map((link) => ({
          id: `link ${link.id}`,
          label: linkNameOf(link),
          detail: link.url,
          href: `${base}/links/${link.id}`,
        })),
      },
      {
        name: t('groups.people'),
        items: found.people.map(({ userId, name, email, role }) => ({
          id: `person ${userId}`,
          label: name,
          detail: `${email} · ${roles(role)}`,
          href: `${base}/members`,
        })),
      },
    ];
    // Somebody with the address of a link looks for this link.
    const isNamed = found.links.some(({ slug, url }) => q === slug || q === url || q.endsWith(`/${slug}`));
    return groups
      .filter(({ items }) => items.length > 0)
      .toSorted((a, b) => Number(isNamed && b.name === ofLinks) - Number(isNamed && a.name === ofLinks));
  }, [enabled, data, appId, q, t, restores, taps, clients, roles, result, format]);
  return { groups, error, isPending: enabled && isPending };
}

/**
 * The devices that are registered for push, and those of starts. Each has a timeline. A phone has one id by its starts and
 * another one by its registration. If a user has one of each kind on a platform, they are one phone, shown once, unless
 * somebody looks for the id of the registration.
 */
function devicesOf(
  { devices, restores }: Found,
  q: string,
  nameOf: (platform: Found['devices'][number]['platform']) => string,
) {
  const starts = [...new Map(restores.map((restore) => [restore.device, restore])).values()];
  const rows = devices.map(({ id, platform, explanation }) => {
    const [start, ...more] = starts.filter((one) => one.device !== null && one.platform === platform);
    const isOne =
      !id.startsWith(q.toLowerCase()) &&
      start &&
      more.length === 0 &&
      devices.filter((one) => one.platform === platform).length === 1;
    return { id: isOne ? start.device! : id, detail: <Sentence text={`${nameOf(platform)} · ${explanation}`} /> };
  });
  const others = starts.flatMap(({ device: id, at }) =>
    id === null || rows.some((row) => row.id === id) ? [] : [{ id, detail: <Ago at={at} /> }],
  );
  return [...rows, ...others];
}
