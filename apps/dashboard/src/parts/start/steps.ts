// The first steps of a new app. Each is read from what happened, so a done step stays done.

import type { App } from '@landfall/api-client';
import { useQuery } from '@tanstack/react-query';
import { api, useApp } from '../../api/index.ts';
import { figuresOf } from '../analytics/figures.tsx';
import { latestLinkQuery } from '../links/queries.ts';

export const STEPS = ['link', 'tap', 'restore', 'key', 'app'] as const;
export type StepName = (typeof STEPS)[number];
export type Steps = Record<StepName, boolean>;

/** Undefined when something of them could not be loaded. */
export function useSteps(appId: string): Steps | 'loading' | undefined {
  const { ios, android } = useApp();
  const keys = api.useQuery('get', '/api/manage/apps/{appId}/keys', { params: { path: { appId } } });
  const links = useQuery(latestLinkQuery(appId));
  const clicks = useQuery(figuresOf(appId, 'clicks'));
  const restores = useQuery(figuresOf(appId, 'restores'));
  const opens = useQuery(figuresOf(appId, 'opens'));
  // Not `isPending`: it is true again while a question that failed is asked again.
  if ([keys, links, clicks, restores, opens].some(({ isFetched }) => !isFetched)) return 'loading';
  if (!keys.data || !links.data || !clicks.data || !restores.data || !opens.data) return undefined;
  return {
    link: links.data.links.length > 0,
    tap: clicks.data.total > 0,
    restore: restores.data.total > 0,
    key: keys.data.keys.some(({ kind, revokedAt }) => kind === 'server' && revokedAt === null),
    // An app without these settings opens no link, as the checks of its set-up say.
    app: opens.data.total > 0 && (opensOnIos(ios) || opensOnAndroid(android)),
  };
}

const opensOnIos = ({ teamId, bundleId }: App['ios']): boolean => teamId !== null && bundleId !== null;
const opensOnAndroid = ({ package: id, certificates }: App['android']): boolean =>
  id !== null && certificates.length > 0;
