// Applies a change of settings to the settings of an app.
import type { AppSettings, AppSettingsChange } from '@landfall/contracts';
import type { z } from 'zod';

export type SettingsChange = z.output<typeof AppSettingsChange>;

/** Changes field by field. A field that is missing in the change stays the same. A list is replaced as a whole. */
export function applyChange(settings: AppSettings, change: SettingsChange): AppSettings {
  return {
    ios: { ...settings.ios, ...change.ios },
    android: { ...settings.android, ...change.android },
    webFallbackUrl: change.webFallbackUrl === undefined ? settings.webFallbackUrl : change.webFallbackUrl,
    matching: { ...settings.matching, ...change.matching },
    publishedParameters: change.publishedParameters ?? settings.publishedParameters,
    identity: change.identity ?? settings.identity,
    labels: change.labels ?? settings.labels,
    timeZone: change.timeZone ?? settings.timeZone,
    publicTry: change.publicTry ?? settings.publicTry,
    clipboard: change.clipboard ?? settings.clipboard,
    branding: { ...settings.branding, ...change.branding },
    social: { ...settings.social, ...change.social },
  };
}

/** @param logo the SHA-256 of the new logo, or null */
export const withLogo = (settings: AppSettings, logo: string | null): AppSettings => {
  const unchanged = applyChange(settings, {});
  return { ...unchanged, branding: { ...unchanged.branding, logo } };
};
