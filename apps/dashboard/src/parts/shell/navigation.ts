// The pages, in the order of the menu. A new page is a file in routes/ and a line here.

import {
  Activity,
  BellRing,
  Building2,
  ChartLine,
  FlaskConical,
  Globe,
  House,
  KeyRound,
  LayoutGrid,
  Link2,
  Mail,
  MailX,
  Scale,
  ScrollText,
  Server,
  Settings as SettingsIcon,
  Share2,
  Smartphone,
  Undo2,
  Users,
  UsersRound,
  Wrench,
} from 'lucide-react';
import { type Me, mayIn } from '../../api/index.ts';

/** The pages of an app. `needs` is the role without which a page is not in the menu. Visitors of a demo see no people. */
const appPages = [
  { to: '/apps/$appId', name: 'home', icon: House },
  { to: '/apps/$appId/links', name: 'links', icon: Link2 },
  { to: '/apps/$appId/analytics', name: 'analytics', icon: ChartLine },
  { to: '/apps/$appId/shares', name: 'shares', icon: Share2, needs: 'member' },
  { to: '/apps/$appId/reports', name: 'reports', icon: Mail, needs: 'member' },
  { to: '/apps/$appId/live', name: 'live', icon: Activity },
  { to: '/apps/$appId/restores', name: 'restores', icon: Undo2 },
  { to: '/apps/$appId/matching', name: 'matching', icon: Scale },
  { to: '/apps/$appId/push', name: 'push', icon: BellRing },
  { to: '/apps/$appId/devices', name: 'devices', icon: Smartphone },
  { to: '/apps/$appId/keys', name: 'keys', icon: KeyRound },
  { to: '/apps/$appId/members', name: 'members', icon: Users, hidesFrom: 'visitor' },
  { to: '/apps/$appId/set-up', name: 'setUp', icon: Wrench },
  { to: '/apps/$appId/domains', name: 'domains', icon: Globe },
  { to: '/apps/$appId/audit', name: 'audit', icon: ScrollText, needs: 'admin' },
  { to: '/apps/$appId/settings', name: 'settings', icon: SettingsIcon },
] as const;

/** The pages that need no app, below those of an app. */
export const commonPages = [{ to: '/try', name: 'try', icon: FlaskConical }] as const;

export const instancePages = [
  { to: '/instance', name: 'instance', icon: Server },
  { to: '/instance/people', name: 'people', icon: UsersRound },
  { to: '/instance/teams', name: 'teams', icon: Building2 },
  { to: '/instance/apps', name: 'instanceApps', icon: LayoutGrid },
  { to: '/instance/dead-letters', name: 'deadLetters', icon: MailX },
  { to: '/instance/audit', name: 'instanceAudit', icon: ScrollText },
] as const;

/** The pages of an app that are for the person. */
export const pagesFor = (me: Me, teamId: string | null) =>
  appPages.filter(
    (page) =>
      (!('needs' in page) || mayIn(me, teamId, page.needs)) && !('hidesFrom' in page && page.hidesFrom === me.kind),
  );
