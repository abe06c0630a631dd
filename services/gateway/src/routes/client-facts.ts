// Facts of an app's own requests that travel with its events.
import { APP_VERSION_LENGTH } from '@landfall/contracts';
import type { Call } from '../routing/route.ts';

/** The header with the version of the app. It is optional, and anything that is no version counts as omitted. */
export const APP_VERSION = 'x-app-version';

/** The header's entry in the OpenAPI document. */
export const appVersionHeader = {
  'X-App-Version': {
    description: `The version of the app, at most ${APP_VERSION_LENGTH} printable ASCII characters. Analytics counts by it.`,
    pattern: `^[ -~]{1,${APP_VERSION_LENGTH}}$`,
  },
};

type Facts = Pick<Call<'none', unknown, unknown, unknown>, 'country' | 'header'>;

/** Returns the country and the version of the app of a request. */
export const clientFacts = (call: Facts) => ({
  country: call.country(),
  appVersion: appVersionOf(call.header(APP_VERSION)),
});

function appVersionOf(given: string | undefined): string | null {
  const version = given?.trim();
  return version && version.length <= APP_VERSION_LENGTH && /^[ -~]+$/.test(version) ? version : null;
}
