// Lists all routes of the API. The most frequent come first.
import type { Route } from '../routing/route.ts';
import { proveAddress } from './address.ts';
import { cancelPush, editPush, stopPush } from './change-notifications.ts';
import { createBulk } from './create-bulk.ts';
import { createSdk } from './create-sdk.ts';
import { getBySlug } from './get-by-slug.ts';
import { importLinks } from './import-links.ts';
import { installHeartbeat } from './install-heartbeat.ts';
import { exportAnalytics, getAnalytics, getCohorts, getFunnel, getReferrals } from './manage-analytics.ts';
import { createApp, getApp, listApps, setPlan, transferApp, updateApp } from './manage-apps.ts';
import { exportAudit, exportInstanceAudit, getLinkHistory, listAudit, listInstanceAudit } from './manage-audit.ts';
import { checkApp, checkHostsNow } from './manage-checks.ts';
import { listDeadLetters, replayDeadLetters } from './manage-dead-letters.ts';
import { deleteDevice, getDevice, listDeliveries, listDevices } from './manage-deliveries.ts';
import { addDomain, listDomains, removeDomain, verifyDomain } from './manage-domains.ts';
import { explainLink, explainPage, explainUrl, listTryDevices, openExplanation } from './manage-explain.ts';
import { listIdentitySecrets, makeIdentitySecret, removeIdentitySecret } from './manage-identity.ts';
import { acceptInvitation, invite, join, lookAtInvitation, revokeInvitation } from './manage-invitations.ts';
import { createKey, getKeyUsage, listKeys, revokeKey, rotateKey } from './manage-keys.ts';
import {
  createManagedLink,
  editLink,
  exportLinks,
  getLink,
  getMatching,
  listLinks,
  listRestores,
} from './manage-links.ts';
import { listEvents, streamLive } from './manage-live.ts';
import { removeLogo, setLogo } from './manage-logo.ts';
import { changePassword, endOtherSessions, endSession, getMe, listSessions, renameMe } from './manage-me.ts';
import { countAudience, getNotification, listNotifications } from './manage-notifications.ts';
import { goToProvider, returnFromProvider } from './manage-oidc.ts';
import { createOwnerToken, listOwnerTokens, revokeOwnerToken } from './manage-owner-tokens.ts';
import { choosePassword, listPeople, resetPassword } from './manage-people.ts';
import { listPushProviders, removePushProvider, resumePushProvider, setPushProvider } from './manage-push-providers.ts';
import { signIn, signOut } from './manage-session.ts';
import { getSetUp, setUp } from './manage-set-up.ts';
import {
  createTeam,
  deleteTeam,
  getTeam,
  listMembers,
  listTeams,
  removeMember,
  renameTeam,
  setRole,
} from './manage-teams.ts';
import { createToken, listMyTokens, listTeamTokens, revokeMyToken, revokeTeamToken } from './manage-tokens.ts';
import { getUsage } from './manage-usage.ts';
import { whatIfMatching } from './manage-what-if.ts';
import { pushOpened } from './push-opened.ts';
import { pushRegister } from './push-register.ts';
import { pushSend } from './push-send.ts';
import { pushUnregister } from './push-unregister.ts';
import { restore } from './restore.ts';
import { listGroups, seeGateway } from './see-gateway.ts';
import { store } from './store.ts';

/** Routes that the OpenAPI document lists together. */
export interface RouteGroup {
  tag: string;
  description: string;
  routes: readonly Route[];
}

export const routeGroups: readonly RouteGroup[] = [
  {
    tag: 'links',
    description: 'Create links, and resolve them. For apps and backends, with an SDK key.',
    routes: [createSdk, createBulk, getBySlug],
  },
  {
    tag: 'deferred deep linking',
    description: 'Get a destination back after the install.',
    routes: [installHeartbeat, restore, store, proveAddress],
  },
  {
    tag: 'push',
    description:
      'Register devices, send pushes, and see what became of them. Devices need an SDK key. All else is for people with a session and programs with a token.',
    routes: [
      pushRegister,
      pushOpened,
      pushUnregister,
      pushSend,
      listNotifications,
      countAudience,
      getNotification,
      listDeliveries,
      listDevices,
      getDevice,
      deleteDevice,
      editPush,
      cancelPush,
      stopPush,
      listPushProviders,
      setPushProvider,
      removePushProvider,
      resumePushProvider,
    ],
  },
  {
    tag: 'apps',
    description: 'Apps, their settings, plans and usage.',
    routes: [
      createApp,
      listApps,
      getApp,
      updateApp,
      setPlan,
      getUsage,
      transferApp,
      checkApp,
      checkHostsNow,
      setLogo,
      removeLogo,
    ],
  },
  {
    tag: 'keys',
    description: 'The SDK keys of an app.',
    routes: [createKey, listKeys, getKeyUsage, rotateKey, revokeKey],
  },
  {
    tag: 'links of an app',
    description: 'Search, create, change, import and export links.',
    routes: [listLinks, exportLinks, importLinks, createManagedLink, getLink, editLink, getLinkHistory],
  },
  {
    tag: 'explanations',
    description: 'What a tap on a link does on each device, and why.',
    routes: [explainLink, explainUrl, explainPage, openExplanation, listTryDevices],
  },
  {
    tag: 'restores',
    description: 'What each first start got, and why.',
    routes: [listRestores, getMatching, whatIfMatching],
  },
  {
    tag: 'analytics',
    description: 'Figures about clicks, installs and pushes, and the events of this moment.',
    routes: [getAnalytics, exportAnalytics, getFunnel, getCohorts, getReferrals, listEvents, streamLive],
  },
  {
    tag: 'domains',
    description: 'Custom domains of an app.',
    routes: [listDomains, addDomain, verifyDomain, removeDomain],
  },
  {
    tag: 'user identity',
    description: 'Secrets with which your backend signs the identity of your users.',
    routes: [makeIdentitySecret, listIdentitySecrets, removeIdentitySecret],
  },
  {
    tag: 'teams',
    description: 'Teams, their members, invitations and tokens.',
    routes: [
      listTeams,
      createTeam,
      getTeam,
      renameTeam,
      deleteTeam,
      listMembers,
      setRole,
      removeMember,
      invite,
      revokeInvitation,
      lookAtInvitation,
      acceptInvitation,
      join,
      listTeamTokens,
      revokeTeamToken,
    ],
  },
  {
    tag: 'audit log',
    description: 'Who changed what, and when.',
    routes: [listAudit, exportAudit, listInstanceAudit, exportInstanceAudit],
  },
  {
    tag: 'sign-in',
    description: 'Set-up, sign-in and passwords.',
    routes: [getSetUp, setUp, signIn, signOut, goToProvider, returnFromProvider, choosePassword],
  },
  {
    tag: 'account',
    description: 'The person who is signed in: name, password, sessions and tokens.',
    routes: [
      getMe,
      renameMe,
      changePassword,
      listSessions,
      endSession,
      endOtherSessions,
      listMyTokens,
      createToken,
      revokeMyToken,
    ],
  },
  {
    tag: 'instance',
    description:
      'For the owners of the installation: people, owner tokens, dead letters, gateways and consumer groups.',
    routes: [
      listPeople,
      resetPassword,
      listOwnerTokens,
      createOwnerToken,
      revokeOwnerToken,
      listDeadLetters,
      replayDeadLetters,
      seeGateway,
      listGroups,
    ],
  },
];

export const routes: readonly Route[] = routeGroups.flatMap(({ routes }) => routes);
