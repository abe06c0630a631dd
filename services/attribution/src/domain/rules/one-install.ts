// An app is installed once. The install that a client tells must agree with the sightings of its device, and gets one link
// by address. Many installs at one address at one time are a crowd. Without these rules, a client that lies about its
// install gets every link at its address.
import { type Ask, hasSeveralPhones, type Sighting } from '../candidate.ts';
import type { Device } from '../device.ts';
import { counted, days, earlierBy, minutes, since } from '../time.ts';
import { installedAt } from './evidence.ts';

/** A client measures and sends the time since the install, and sends it again after a failure. */
const TOLERANCE_MINUTES = 1;
/** The most links by address that a device gets in a day when it does not say when its app was installed. */
const MOST_A_DAY = 2;
/** Minutes in which devices that the app never met before are a crowd. */
export const CROWD_MINUTES = 10;

export function whyNotOneInstall(ask: Ask, sighting: Sighting): string | null {
  const { device, newDevices } = sighting;
  if (device === null) return null;
  return whyHereBefore(ask, sighting, device) ?? whyUsed(ask, sighting, device) ?? whyCrowd(ask, newDevices);
}

/** Several phones with one fingerprint have several installs. Sometimes nobody has noticed yet that they are several. */
function whyHereBefore(ask: Ask, { firstHereAt }: Sighting, device: Device): string | null {
  const installed = installedAt(ask);
  if (installed === null || firstHereAt === null || hasSeveralPhones(ask, device)) return null;
  if (since(firstHereAt, installed) <= minutes(TOLERANCE_MINUTES)) return null;
  return `the app says that it was installed ${earlierBy(installed, ask.now)}, but it was started on this device, at this address, ${earlierBy(firstHereAt, ask.now)}, so the app sends a wrong time, or it was installed again`;
}

/** A device that does not say when its app was installed may be new for an hour, and tap a second link in it. */
function whyUsed(ask: Ask, { given }: Sighting, device: Device): string | null {
  const { now, address } = ask;
  const installed = installedAt(ask);
  const before = given.filter(({ matchType, at }) => matchType === 'address' && at >= device.newSince);
  const today = before.filter(({ at }) => since(at, now) < days(1));
  if (hasSeveralPhones(ask, device)) {
    const here = today.findLast((one) => one.address === address);
    return here === undefined
      ? null
      : `several phones look the same to Landfall, and one of them was given a link at this address ${earlierBy(here.at, now)}: this may be that phone again, and each install gets one link by address. A fingerprint of its own for each phone ends this check`;
  }
  if (installed === null)
    return today.length < MOST_A_DAY
      ? null
      : `this device was given ${MOST_A_DAY} links by address in the last 24 hours, and may get no more`;
  const last = before.findLast(({ at }) => at >= installed) ?? today.at(-1);
  return last === undefined
    ? null
    : `this device was given a link by address ${earlierBy(last.at, now)}, and one install gets one link by address`;
}

function whyCrowd({ matching }: Ask, newDevices: number): string | null {
  if (newDevices <= matching.crowdDevices) return null;
  return `the app was started for the first time on more than ${counted(matching.crowdDevices, 'other device')} at this address in the last ${CROWD_MINUTES} minutes, so nobody can tell whose tap this is`;
}
