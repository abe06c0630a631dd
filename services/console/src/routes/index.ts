// Lists the routes of the management API, and all routes as the OpenAPI document groups them.
import { sdkRouteGroups } from '@landfall/gateway';
import { type Named, named } from '@landfall/http';
import { changeAlert, createAlert, listAlerts, removeAlert, snoozeAlert } from '../alerts/alerts.ts';
import { exportAnalytics, getAnalytics, getCohorts, getFunnel, getReferrals } from '../analytics/analytics.ts';
import { exportBreakdown, getBreakdowns } from '../analytics/breakdowns.ts';
import { exportCountedEvents, listCountedEvents } from '../analytics/counted-events.ts';
import { countLinks, createApp, getApp, getUsage, listApps, setPlan, transferApp } from '../apps/apps.ts';
import { updateApp } from '../apps/update-app.ts';
import { checkApp, checkHostsNow } from '../association/checks.ts';
import { exportAudit, exportInstanceAudit, getLinkHistory, listAudit, listInstanceAudit } from '../audit/audit.ts';
import {
  confirmChannelAgain,
  createChannel,
  listChannels,
  listMessages,
  removeChannel,
  renameChannel,
  renewChannelSecret,
  testChannel,
} from '../channels/channels.ts';
import { confirmChannel } from '../channels/recipients.ts';
import { listClients } from '../clients/clients.ts';
import { getTimeline } from '../devices/timeline.ts';
import { addDomain, checkOneDomain, listDomains, removeDomain, verifyDomain } from '../domains/domains.ts';
import { listIdentitySecrets, makeIdentitySecret, removeIdentitySecret } from '../identity/identity-secrets.ts';
import { listDeadLetters, replayDeadLetters } from '../instance/dead-letters.ts';
import { listGroups, seeGateway } from '../instance/see-gateway.ts';
import { createKey, getKeyUsage, listKeys, revokeKey, rotateKey } from '../keys/keys.ts';
import { editLinks } from '../links/edit-bulk.ts';
import { explainLink, explainPage, explainUrl, listTryDevices, openExplanation } from '../links/explain.ts';
import { importLinks } from '../links/import-links.ts';
import { listLinkInstalls, listTaps } from '../links/link-events.ts';
import { listTags } from '../links/link-tags.ts';
import { createManagedLink, editLink, exportLinks, getLink, listLinks } from '../links/links.ts';
import { previewLink, previewPage } from '../links/preview.ts';
import { listEvents, streamLive } from '../live/live-routes.ts';
import { removeLogo, setLogo } from '../logos/logos.ts';
import { goToProvider, returnFromProvider } from '../oidc/oidc.ts';
import { forgotPassword } from '../passwords/forgotten-password.ts';
import { changePassword, choosePassword, resetPassword } from '../passwords/password-routes.ts';
import { getMe, listPeople, removeSecondFactor, renameMe } from '../people/people.ts';
import { deleteDevice, getDevice, listDeliveries, listDevices } from '../pushes/deliveries.ts';
import {
  cancelPush,
  countAudience,
  editPush,
  getNotification,
  listNotifications,
  stopPush,
} from '../pushes/notifications.ts';
import {
  listPushProviders,
  removePushProvider,
  resumePushProvider,
  setPushProvider,
} from '../pushes/push-providers.ts';
import { pushSend } from '../pushes/push-send.ts';
import { changeReport, createReport, listReports, removeReport } from '../reports/reports.ts';
import { previewReport, sendReport } from '../reports/send-now.ts';
import { listRestores } from '../restores/list-restores.ts';
import { getMatching, whatIfMatching } from '../restores/matching.ts';
import { isManage, type Route } from '../routing/route.ts';
import { search } from '../search/search.ts';
import {
  addPasskey,
  beginAuthenticatorApp,
  beginPasskey,
  confirmAuthenticatorApp,
  getSecondFactor,
  removeAuthenticatorApp,
  removePasskey,
  renewRecoveryCodes,
} from '../second-factor/factor-routes.ts';
import { beginPasskeySignIn, signInByPasskey, takeSecondStep } from '../second-factor/sign-in-routes.ts';
import { endOtherSessions, endSession, listSessions, signIn, signOut } from '../sessions/session-routes.ts';
import { getSetUp, setUp } from '../set-up/set-up.ts';
import {
  exportSharedCard,
  getShare,
  getSharedCards,
  getSharedFigures,
  getSharedFunnel,
  getShareLock,
  unlockShare,
} from '../shares/shared.ts';
import { changeShare, createShare, listShares, revokeShare } from '../shares/shares.ts';
import { acceptInvitation, invite, join, lookAtInvitation, revokeInvitation } from '../teams/invitations.ts';
import {
  createTeam,
  deleteTeam,
  getTeam,
  listMembers,
  listTeams,
  removeMember,
  setRole,
  updateTeam,
} from '../teams/teams.ts';
import {
  createOwnerToken,
  createToken,
  listMyTokens,
  listOwnerTokens,
  listTeamTokens,
  revokeMyToken,
  revokeOwnerToken,
  revokeTeamToken,
} from '../tokens/tokens.ts';
import { listUtmValues } from '../utm/used-values.ts';
import { changeUtmTemplate, createUtmTemplate, listUtmTemplates, removeUtmTemplate } from '../utm/utm-templates.ts';
import { changeView, createView, listViews, removeView } from '../views/views.ts';

export interface RouteGroup {
  tag: string;
  description: string;
  routes: readonly Named<Route>[];
}

export const routeGroups: readonly RouteGroup[] = [
  {
    tag: 'links',
    description: 'Create links, and resolve them. For apps and backends, with an SDK key.',
    routes: sdkRouteGroups.links,
  },
  {
    tag: 'deferred deep linking',
    description: 'Get a destination back after the install.',
    routes: sdkRouteGroups.deferred,
  },
  {
    tag: 'push',
    description:
      'Register devices, send pushes, and see what became of them. Devices need an SDK key. All else is for people with a session and programs with a token.',
    routes: [
      ...sdkRouteGroups.push,
      ...named({
        sendPush: pushSend,
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
      }),
    ],
  },
  {
    tag: 'apps',
    description: 'Apps, their settings, plans and usage.',
    routes: named({
      createApp,
      listApps,
      getApp,
      updateApp,
      setPlan,
      getUsage,
      transferApp,
      checkApp,
      checkHostsNow,
      listClients,
      setLogo,
      removeLogo,
    }),
  },
  {
    tag: 'keys',
    description: 'The SDK keys of an app.',
    routes: named({ createKey, listKeys, getKeyUsage, rotateKey, revokeKey }),
  },
  {
    tag: 'links of an app',
    description: 'Search, create, change, import and export links.',
    routes: named({
      listLinks,
      countLinks,
      exportLinks,
      importLinks,
      previewLink,
      createManagedLink,
      getLink,
      editLink,
      editLinks,
      getLinkHistory,
      listTaps,
      listLinkInstalls,
      listTags,
      listUtmTemplates,
      createUtmTemplate,
      changeUtmTemplate,
      removeUtmTemplate,
      listUtmValues,
    }),
  },
  {
    tag: 'explanations',
    description: 'What a tap on a link does on each device, and why.',
    routes: named({ explainLink, explainUrl, explainPage, previewPage, openExplanation, listTryDevices }),
  },
  {
    tag: 'restores',
    description: 'What each first start got, and why.',
    routes: named({ search, listRestores, getTimeline, getMatching, whatIfMatching }),
  },
  {
    tag: 'analytics',
    description: 'Figures about clicks, installs and pushes, and the events of this moment.',
    routes: named({
      getAnalytics,
      exportAnalytics,
      getBreakdowns,
      exportBreakdown,
      getFunnel,
      getCohorts,
      getReferrals,
      listCountedEvents,
      exportCountedEvents,
      listEvents,
      streamLive,
      listViews,
      createView,
      changeView,
      removeView,
    }),
  },
  {
    tag: 'shares',
    description:
      'Read-only addresses of a view of the figures, for people without an account, and what these people ask.',
    routes: named({
      listShares,
      createShare,
      changeShare,
      revokeShare,
      getShare,
      getShareLock,
      unlockShare,
      getSharedFigures,
      getSharedCards,
      exportSharedCard,
      getSharedFunnel,
    }),
  },
  {
    tag: 'reports',
    description:
      'Reports and alerts: figures that go to people by email, to Slack, to Microsoft Teams or to a webhook, and the channels to which they go.',
    routes: named({
      listChannels,
      createChannel,
      renameChannel,
      renewChannelSecret,
      removeChannel,
      testChannel,
      confirmChannelAgain,
      confirmChannel,
      listReports,
      createReport,
      changeReport,
      removeReport,
      previewReport,
      sendReport,
      listAlerts,
      createAlert,
      changeAlert,
      snoozeAlert,
      removeAlert,
      listMessages,
    }),
  },
  {
    tag: 'domains',
    description: 'Custom domains of an app.',
    routes: named({ listDomains, addDomain, checkOneDomain, verifyDomain, removeDomain }),
  },
  {
    tag: 'user identity',
    description: 'Secrets with which your backend signs the identity of your users.',
    routes: named({ makeIdentitySecret, listIdentitySecrets, removeIdentitySecret }),
  },
  {
    tag: 'teams',
    description: 'Teams, their members, invitations and tokens.',
    routes: named({
      listTeams,
      createTeam,
      getTeam,
      updateTeam,
      deleteTeam,
      listMembers,
      setRole,
      removeMember,
      invite,
      revokeInvitation,
      lookAtInvitation,
      acceptInvitation,
      joinByInvitation: join,
      listTeamTokens,
      revokeTeamToken,
    }),
  },
  {
    tag: 'audit log',
    description: 'Who changed what, and when.',
    routes: named({ listAudit, exportAudit, listInstanceAudit, exportInstanceAudit }),
  },
  {
    tag: 'sign-in',
    description: 'Set-up, sign-in and passwords.',
    routes: named({
      getSetUp,
      setUp,
      signIn,
      takeSecondStep,
      beginPasskeySignIn,
      signInByPasskey,
      signOut,
      goToProvider,
      returnFromProvider,
      forgotPassword,
      choosePassword,
    }),
  },
  {
    tag: 'account',
    description: 'The person who is signed in: name, password, second factors, sessions and tokens.',
    routes: named({
      getMe,
      renameMe,
      changePassword,
      listSessions,
      endSession,
      endOtherSessions,
      listMyTokens,
      createToken,
      revokeMyToken,
      getSecondFactor,
      beginAuthenticatorApp,
      confirmAuthenticatorApp,
      removeAuthenticatorApp,
      beginPasskey,
      addPasskey,
      removePasskey,
      renewRecoveryCodes,
    }),
  },
  {
    tag: 'instance',
    description:
      'For the owners of the installation: people, owner tokens, dead letters, gateways and consumer groups.',
    routes: named({
      listPeople,
      resetPassword,
      removeSecondFactor,
      listOwnerTokens,
      createOwnerToken,
      revokeOwnerToken,
      listDeadLetters,
      replayDeadLetters,
      seeGateway,
      listGroups,
    }),
  },
];

export const routes = routeGroups.flatMap(({ routes }) => routes);
export const manageRoutes = routes.filter(isManage);
