// Lists all routes of the API. The most frequent come first.
import type { Route } from '../routing/route.ts';
import { cancelPush, editPush, stopPush } from './change-notifications.ts';
import { createBulk } from './create-bulk.ts';
import { createSdk } from './create-sdk.ts';
import { getBySlug } from './get-by-slug.ts';
import { importLinks } from './import-links.ts';
import { installHeartbeat } from './install-heartbeat.ts';
import { exportAnalytics, getAnalytics, getCohorts, getFunnel, getReferrals } from './manage-analytics.ts';
import { createApp, getApp, listApps, setPlan, transferApp, updateApp } from './manage-apps.ts';
import { exportAudit, listAudit, listInstanceAudit } from './manage-audit.ts';
import { checkApp } from './manage-checks.ts';
import { listDeadLetters, replayDeadLetters } from './manage-dead-letters.ts';
import { listDeliveries, listDevices } from './manage-deliveries.ts';
import { addDomain, listDomains, removeDomain, verifyDomain } from './manage-domains.ts';
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
import { streamLive } from './manage-live.ts';
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
import { pushOpened } from './push-opened.ts';
import { pushRegister } from './push-register.ts';
import { pushSend } from './push-send.ts';
import { pushUnregister } from './push-unregister.ts';
import { restore } from './restore.ts';
import { listGroups, seeGateway } from './see-gateway.ts';
import { store } from './store.ts';

export const routes: readonly Route[] = [
  getBySlug,
  restore,
  installHeartbeat,
  createSdk,
  pushRegister,
  pushOpened,
  pushUnregister,
  createBulk,
  store,
  pushSend,

  getSetUp,
  setUp,
  signIn,
  signOut,
  goToProvider,
  returnFromProvider,
  choosePassword,
  getMe,
  renameMe,
  changePassword,
  listSessions,
  endSession,
  endOtherSessions,
  listMyTokens,
  createToken,
  revokeMyToken,

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
  listAudit,
  exportAudit,
  listInstanceAudit,

  createApp,
  listApps,
  getApp,
  updateApp,
  setPlan,
  getUsage,
  transferApp,
  checkApp,
  listDomains,
  addDomain,
  verifyDomain,
  removeDomain,
  makeIdentitySecret,
  listIdentitySecrets,
  removeIdentitySecret,
  createKey,
  listKeys,
  getKeyUsage,
  rotateKey,
  revokeKey,
  listLinks,
  exportLinks,
  importLinks,
  createManagedLink,
  getLink,
  editLink,
  listRestores,
  getMatching,
  getAnalytics,
  exportAnalytics,
  getFunnel,
  getCohorts,
  getReferrals,
  streamLive,
  listNotifications,
  countAudience,
  getNotification,
  listDeliveries,
  listDevices,
  editPush,
  cancelPush,
  stopPush,
  listPushProviders,
  setPushProvider,
  removePushProvider,
  resumePushProvider,

  listPeople,
  resetPassword,
  listOwnerTokens,
  createOwnerToken,
  revokeOwnerToken,
  listDeadLetters,
  replayDeadLetters,
  seeGateway,
  listGroups,
];
