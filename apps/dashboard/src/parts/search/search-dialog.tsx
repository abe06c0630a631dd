// The search of the header: over pages, actions and guides, and over everything that an app knows.
import type { paths } from '@landfall/api-client';
import { Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ToPathOption, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { api, appQuery, appsQuery, mayIn, meQuery } from '../../api/index.ts';
import { referenceQuery } from '../docs/reference.ts';
import { guideTextsQuery, searchOver } from '../docs/search.ts';
import { FailureAlert } from '../page/page.tsx';
import { Ago, Sentence } from '../time.tsx';
import { searchedFor } from '../views/searched.ts';
import { Finder, type FoundGroup, type FoundItem } from './finder.tsx';
import { actions, menuOf, settings } from './navigation.ts';

const SEARCH = '/api/manage/apps/{appId}/search';
type Found = paths[typeof SEARCH]['get']['responses'][200]['content']['application/json']['found'];

/** Milliseconds without a key after which the API is asked. */
const PAUSE_MS = 200;
const SHORTEST = 2;
const MOST_GUIDES = 4;
const SHORT_ID = 8;

interface SearchDialogProps {
  appId: string | undefined;
  text: string;
  onText: (text: string) => void;
  onClose: (chose: boolean) => void;
}

export function SearchDialog({ appId, text, onText, onClose }: SearchDialogProps) {
  const t = useTranslations('search');
  const router = useRouter();
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const local = usePages(appId);
  const things = useThings(appId, asked);
  const guides = useGuides(asked);
  // An answer to an earlier text is never shown: each text is a question of its own.
  const isAnswered = asked === typed && !things.isPending;
  const ofApp = asked === typed ? things.groups : [];
  // Guides come after everything else, so that nothing moves under the finger.
  const ofGuides = isAnswered ? guides : [];
  const groups = typed === '' ? local('') : [...local(typed), ...ofApp, ...ofGuides];
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const isUnknown = isAnswered && asked.length >= SHORTEST && things.error === null && ofApp.length === 0;
  const hints = useHints(appId, isUnknown && mayBeSomebody(asked));
  const status =
    typed === ''
      ? t('hint')
      : !isAnswered
        ? t('searching')
        : things.error !== null
          ? t('failed')
          : t('found', { count: count });

  function choose(item: FoundItem): void {
    onClose(true);
    router.history.push(item.href, searchedFor(item.searched ?? ''));
  }

  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      withCloseButton={false}
      size={640}
      yOffset="8vh"
      returnFocus={false}
      attributes={{ content: { 'aria-label': t('label') } }}
    >
      <Finder
        label={t('label')}
        placeholder={t('placeholder')}
        text={text}
        onText={onText}
        groups={[...groups, ...hints]}
        status={status}
        onChoose={choose}
      >
        {things.error !== null && <FailureAlert error={things.error} asksAgain />}
        {things.error === null && (typed === '' || !isAnswered || count === 0 || hints.length > 0) && (
          <Text mt="xs" aria-hidden>
            {hints.length > 0 ? t('unknown') : status}
          </Text>
        )}
      </Finder>
    </Modal>
  );
}

/** True for what may name a person, a device or a start, and not for words. */
const mayBeSomebody = (text: string): boolean => /@|\d|[\w-]{16,}/.test(text);

/** Letters without their accents, so that `cafe` finds "Café". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a function that finds pages, actions, settings and apps. Without a text, it returns what people do often. */
function usePages(appId: string | undefined): (text: string) => FoundGroup[] {
  const t = useTranslations('search');
  const shell = useTranslations('shell');
  const router = useRouter();
  const { data: me } = useQuery(meQuery());
  const { data: apps = [] } = useQuery(appsQuery());
  const { data } = useQuery({ ...appQuery(appId ?? ''), enabled: appId !== undefined });
  return useMemo(() => {
    if (me === undefined) return () => [];
    const app = data?.app;
    const hrefOf = (to: ToPathOption, search = {}) =>
      router.buildLocation({ to, params: { appId } as never, search: search as never }).href;
    const isHere = ({ to }: { to: string }) => app !== undefined || !to.includes('$appId');
    const pages = [
      ...menuOf(me, app).flatMap(({ pages }) =>
        pages.map(({ to, name }) => ({ to, label: shell(name), more: t(`also.${name}`) })),
      ),
      ...(me.person ? ([{ to: '/account', label: shell('account'), more: t('also.account') }] as const) : []),
    ].map(({ to, label, more }) => ({ id: to, label, more, href: hrefOf(to) }));
    const mayDo = actions.filter(
      (action) =>
        me.kind !== 'visitor' &&
        isHere(action) &&
        (!('needs' in action) || mayIn(me, app?.teamId ?? null, action.needs)),
    );
    const list = {
      actions: mayDo.map((action) => ({
        id: `do ${action.name}`,
        label: t(`actions.${action.name}`),
        more: '',
        href: hrefOf(action.to, 'search' in action ? action.search : {}),
      })),
      pages,
      settings: settings
        .filter((one) => isHere(one) && (me.person || one.to !== '/account'))
        .map(({ name, to, ...place }) => ({
          id: `set ${name}`,
          label: t(`settings.${name}`),
          detail: t(to === '/account' ? 'inAccount' : 'inApp'),
          more: '',
          href: `${hrefOf(to)}${'hash' in place ? `#${place.hash}` : ''}`,
        })),
      apps: apps.map(({ id, name }) => ({ id, label: name, more: '', href: `/apps/${id}` })),
    };
    return (text: string): FoundGroup[] => {
      const words = plain(text).split(/\s+/);
      const fits = ({ label, more }: { label: string; more: string }) => {
        const all = plain(`${label} ${more}`);
        return words.every((word) => all.includes(word));
      };
      const shown = text === '' ? (['actions', 'pages'] as const) : (['pages', 'actions', 'settings', 'apps'] as const);
      return shown.map((name) => ({
        name: t(`groups.${name}`),
        items: list[name].filter(fits).slice(0, text === '' ? 99 : 6),
      }));
    };
  }, [me, data, apps, appId, router, t, shell]);
}

/** What the app knows by this text. */
function useThings(appId: string | undefined, q: string) {
  const t = useTranslations('search');
  const restores = useTranslations('restores');
  const roles = useTranslations('members.roles');
  const enabled = appId !== undefined && q.length >= SHORTEST;
  const { data, error, isPending } = api.useQuery(
    'get',
    SEARCH,
    { params: { path: { appId: appId ?? '' }, query: { q } } },
    // What was typed is nowhere longer than the window is open.
    { enabled, gcTime: 0 },
  );
  const groups = useMemo((): FoundGroup[] => {
    if (!enabled || data === undefined) return [];
    const { found } = data;
    const base = `/apps/${appId}`;
    const groups: FoundGroup[] = [
      {
        name: t('groups.restores'),
        items: found.restores.map(({ id, at, device, summary }) => ({
          id: `restore ${id}`,
          label: summary,
          detail: (
            <>
              {device === null ? restores('unnamed') : restores('device', { id: device.slice(0, SHORT_ID) })} ·{' '}
              <Ago at={at} />
            </>
          ),
          href: `${base}/restores`,
          searched: q,
        })),
      },
      {
        name: t('groups.devices'),
        items: devicesOf(found).map(({ id, detail }) => ({
          id: `device ${id}`,
          label: t('timeline', { id: id.slice(0, SHORT_ID) }),
          detail,
          href: `${base}/devices/${id}`,
        })),
      },
      {
        name: t('groups.links'),
        items: found.links.map(({ id, name, destination, url }) => ({
          id: `link ${id}`,
          label: name || destination,
          detail: url,
          href: `${base}/links/${id}`,
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
    return groups.filter(({ items }) => items.length > 0);
  }, [enabled, data, appId, q, t, restores, roles]);
  return { groups, error, isPending: enabled && isPending };
}

/** The devices that are registered for push, and those of starts. Each has a timeline. */
function devicesOf({ devices, restores }: Found) {
  const ofStarts = new Map(restores.map(({ device, at }) => [device, at]));
  return [
    ...devices.map(({ id, platform, explanation }) => ({
      id,
      detail: <Sentence text={`${platform} · ${explanation}`} />,
    })),
    ...[...ofStarts].flatMap(([id, at]) => (id === null ? [] : [{ id, detail: <Ago at={at} /> }])),
  ];
}

/** The passages of guides and the operations of the API that fit the words. They are loaded when somebody types. */
function useGuides(q: string): FoundGroup[] {
  const t = useTranslations('search');
  const enabled = q.length >= SHORTEST;
  const { data: texts } = useQuery({ ...guideTextsQuery(), enabled });
  const { data: reference } = useQuery({ ...referenceQuery(), enabled });
  const find = useMemo(() => texts && searchOver(texts, reference), [texts, reference]);
  return useMemo(() => {
    const found = enabled && find ? find(q) : [];
    if (found.length === 0) return [];
    const items = found.slice(0, MOST_GUIDES).map(({ href, title, heading }) => ({
      id: href,
      label: heading || title,
      detail: heading ? title : undefined,
      href,
    }));
    const all = { id: 'all guides', label: t('allGuides'), href: `/docs/search?${new URLSearchParams({ q })}` };
    return [{ name: t('groups.guides'), items: [...items, all] }];
  }, [enabled, find, q, t]);
}

/** Where to look for somebody whom the app does not know: a tap alone names nobody. */
function useHints(appId: string | undefined, isShown: boolean): FoundGroup[] {
  const t = useTranslations('search');
  if (!isShown || appId === undefined) return [];
  const base = `/apps/${appId}`;
  return [
    {
      name: t('groups.hints'),
      items: [
        {
          id: 'hint nothing',
          label: t('hints.nothing'),
          detail: t('hints.nothingText'),
          href: `${base}/restores?state=nothing&time=day`,
        },
        {
          id: 'hint refused',
          label: t('hints.refused'),
          detail: t('hints.refusedText'),
          href: `${base}/restores?state=refused&time=day`,
        },
        { id: 'hint taps', label: t('hints.taps'), detail: t('hints.tapsText'), href: `${base}/links` },
        { id: 'hint live', label: t('hints.live'), detail: t('hints.liveText'), href: `${base}/live` },
      ],
    },
  ];
}
