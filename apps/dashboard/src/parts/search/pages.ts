// Finds a text in the web app itself: in pages, actions, settings and apps.
import { useQuery } from '@tanstack/react-query';
import { type ToPathOption, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { appQuery, appsQuery, mayIn, meQuery } from '../../api/index.ts';
import type { FoundGroup } from '../shell/finder.tsx';
import { actions, menuOf, settings } from '../shell/navigation.ts';

/** Letters without their accents, so that `cafe` finds "Café". */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns a function that finds pages, actions, settings and apps. Without a text, it returns what people do often. */
export function usePages(appId: string | undefined): (text: string) => FoundGroup[] {
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
        (!('inAnyTeam' in action) || me.teams.some(({ id }) => mayIn(me, id, action.inAnyTeam))) &&
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
