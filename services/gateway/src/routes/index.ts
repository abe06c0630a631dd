// What the API answers: every route, those that are called most first.
import type { Route } from '../route.ts';
import { createSdk } from './create-sdk.ts';
import { getBySlug } from './get-by-slug.ts';
import { installHeartbeat } from './install-heartbeat.ts';
import { createApp, getApp, listApps, setPlan, updateApp } from './manage-apps.ts';
import { createKey, listKeys, revokeKey } from './manage-keys.ts';
import { editLink, listLinks, listRestores } from './manage-links.ts';
import { restore } from './restore.ts';
import { store } from './store.ts';

export const routes: readonly Route[] = [
  getBySlug,
  restore,
  installHeartbeat,
  createSdk,
  store,

  createApp,
  listApps,
  getApp,
  updateApp,
  setPlan,
  createKey,
  listKeys,
  revokeKey,
  listLinks,
  editLink,
  listRestores,
];
