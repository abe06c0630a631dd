// Whether a phone with the app opens it for a tap. The phone decides this by itself: no request reaches a link host.
import type { App } from '@landfall/contracts';
import type { Visitor } from '../../visitor/visitor.ts';

export interface OpensApp {
  opens: boolean;
  /** A sentence. */
  why: string;
}

/** @param scheme `http:` or `https:` of the link */
export function opensApp(app: App, visitor: Visitor, scheme: string): OpensApp {
  const no = (why: string): OpensApp => ({ opens: false, why });
  const { platform } = visitor;
  if (visitor.kind !== 'person') return no('No person taps here, so no app opens.');
  if (platform !== 'ios' && platform !== 'android') return no('No app of yours can be on this device.');
  if (visitor.inApp !== null)
    return no('A browser inside another app does not pass the link to the phone, so the app does not open by itself.');
  if (scheme !== 'https:') return no('The app is installed, but phones open apps only from https links.');
  if (app.archivedAt !== null) return no('The app is archived, so phones get no association file.');
  if (platform === 'ios') {
    if (app.ios.teamId === null || app.ios.bundleId === null)
      return no('The app is installed, but its settings lack the team identifier or the bundle identifier.');
    return { opens: true, why: `The phone opens ${app.ios.teamId}.${app.ios.bundleId} by its Universal Link.` };
  }
  if (app.android.package === null || app.android.certificates.length === 0)
    return no('The app is installed, but its settings lack the application id or the fingerprint of its certificate.');
  if (visitor.store === null) return no('It is not known whether this device verifies App Links.');
  return { opens: true, why: `The phone opens ${app.android.package} by its App Link.` };
}
