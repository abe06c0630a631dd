// The pages, in the order of the menu. A new page is a file in routes/ and a line here.

import {
  Activity,
  BellRing,
  BookOpen,
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

/**
 * The pages of an app by what people do there. `needs` is the role without which a page is not in the menu. Visitors of a
 * demo see no people. Pages whose address has no `$appId` are for everyone.
 */
const groups = [
  { name: null, pages: [{ to: '/apps/$appId', name: 'home', icon: House }] },
  {
    name: 'measure',
    pages: [
      { to: '/apps/$appId/analytics', name: 'analytics', icon: ChartLine },
      { to: '/apps/$appId/shares', name: 'shares', icon: Share2, needs: 'member' },
      { to: '/apps/$appId/reports', name: 'reports', icon: Mail, needs: 'member' },
      { to: '/apps/$appId/live', name: 'live', icon: Activity },
      { to: '/apps/$appId/restores', name: 'restores', icon: Undo2 },
    ],
  },
  {
    name: 'reach',
    pages: [
      { to: '/apps/$appId/links', name: 'links', icon: Link2 },
      { to: '/apps/$appId/push', name: 'push', icon: BellRing },
      { to: '/apps/$appId/devices', name: 'devices', icon: Smartphone },
    ],
  },
  {
    name: 'build',
    pages: [
      { to: '/apps/$appId/set-up', name: 'setUp', icon: Wrench },
      { to: '/apps/$appId/keys', name: 'keys', icon: KeyRound },
      { to: '/apps/$appId/domains', name: 'domains', icon: Globe },
      { to: '/apps/$appId/matching', name: 'matching', icon: Scale },
      { to: '/try', name: 'try', icon: FlaskConical },
      { to: '/docs', name: 'docs', icon: BookOpen },
    ],
  },
  {
    name: 'team',
    pages: [
      { to: '/apps/$appId/members', name: 'members', icon: Users, hidesFrom: 'visitor' },
      { to: '/apps/$appId/audit', name: 'audit', icon: ScrollText, needs: 'admin' },
      { to: '/apps/$appId/settings', name: 'settings', icon: SettingsIcon },
    ],
  },
] as const;

const instancePages = [
  { to: '/instance', name: 'instance', icon: Server },
  { to: '/instance/people', name: 'people', icon: UsersRound },
  { to: '/instance/teams', name: 'teams', icon: Building2 },
  { to: '/instance/apps', name: 'instanceApps', icon: LayoutGrid },
  { to: '/instance/dead-letters', name: 'deadLetters', icon: MailX },
  { to: '/instance/audit', name: 'instanceAudit', icon: ScrollText },
] as const;

export type MenuPage = (typeof groups)[number]['pages'][number] | (typeof instancePages)[number];
export interface MenuGroup {
  name: 'measure' | 'reach' | 'build' | 'team' | 'ofInstance' | null;
  pages: readonly MenuPage[];
}

/** The menu of the person. Without an app, it has only the pages that need none. */
export function menuOf(me: Me, app: { teamId: string | null } | undefined): MenuGroup[] {
  const isFor = (page: MenuPage): boolean =>
    (app !== undefined || !page.to.includes('$appId')) &&
    (!('needs' in page) || mayIn(me, app?.teamId ?? null, page.needs)) &&
    !('hidesFrom' in page && page.hidesFrom === me.kind);
  const ofApp = groups.map(({ name, pages }): MenuGroup => ({ name, pages: pages.filter(isFor) }));
  const ofInstance: MenuGroup[] = me.person?.instanceOwner ? [{ name: 'ofInstance', pages: instancePages }] : [];
  return [...ofApp, ...ofInstance].filter(({ pages }) => pages.length > 0);
}

/** True for a page above its own pages: it is the current one only at its own address. */
export const isExact = ({ to }: MenuPage): boolean => to === '/apps/$appId' || to === '/instance';

/** Parts of pages that people look for by their own name. */
export const settings = [
  { name: 'appName', to: '/apps/$appId/settings', hash: 'app' },
  { name: 'ios', to: '/apps/$appId/settings', hash: 'iosPart' },
  { name: 'android', to: '/apps/$appId/settings', hash: 'androidPart' },
  { name: 'branding', to: '/apps/$appId/settings', hash: 'branding' },
  { name: 'timeZone', to: '/apps/$appId/settings', hash: 'app' },
  { name: 'identity', to: '/apps/$appId/settings', hash: 'identity' },
  { name: 'plan', to: '/apps/$appId/settings', hash: 'plan' },
  { name: 'archive', to: '/apps/$appId/settings', hash: 'danger' },
  { name: 'windows', to: '/apps/$appId/matching' },
  { name: 'credentials', to: '/apps/$appId/push/credentials' },
  { name: 'password', to: '/account' },
  { name: 'secondFactor', to: '/account' },
  { name: 'sessions', to: '/account' },
  { name: 'tokens', to: '/account' },
] as const;

/** What people do often. `needs` is the role that may do it. */
export const actions = [
  { name: 'newLink', to: '/apps/$appId/links/new', needs: 'member' },
  { name: 'newPush', to: '/apps/$appId/push/new', needs: 'member' },
  { name: 'newKey', to: '/apps/$appId/keys', search: { new: true }, needs: 'admin' },
  { name: 'newApp', to: '/apps/new', inAnyTeam: 'admin' },
] as const;
