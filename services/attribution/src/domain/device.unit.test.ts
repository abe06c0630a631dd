import { describe, expect, it } from 'vitest';
import { aDevice, id, matching, minutesAgo, NOON } from '../test-values.ts';
import { heard, isNew, isShared, met } from './device.ts';

const daysAgo = (n: number) => minutesAgo(n * 24 * 60);
const settings = matching();

describe('met', () => {
  it('is new for an hour', () => {
    expect(isNew(aDevice({ newSince: minutesAgo(59) }), NOON, 60)).toBe(true);
    expect(isNew(aDevice({ newSince: minutesAgo(60) }), NOON, 60)).toBe(false);
  });

  it('is not made older by being met', () => {
    const device = aDevice({ firstSeen: minutesAgo(5), newSince: minutesAgo(5), lastSeen: minutesAgo(5) });
    expect(met(met(device, NOON, 7), NOON, 7)).toEqual({ ...device, lastSeen: NOON });
  });

  it('is new again after a long absence, and only then', () => {
    const away = (n: number) => aDevice({ firstSeen: daysAgo(90), newSince: daysAgo(90), lastSeen: daysAgo(n) });
    expect(met(away(7), NOON, 7).newSince).toEqual(NOON);
    expect(met(away(6.9), NOON, 7).newSince).toEqual(daysAgo(90));
    expect(met(met(away(7), NOON, 7), NOON, 7)).toEqual(met(away(7), NOON, 7));
  });

  it('takes a late message for what it is', () => {
    const device = aDevice();
    expect(met(device, minutesAgo(3), 7)).toEqual({ ...device, firstSeen: minutesAgo(3) });
  });
});

describe('heard', () => {
  const first = heard(aDevice(), { id: id(1), at: minutesAgo(60) }, settings);

  it('remembers the first heartbeat for ever', () => {
    const second = heard(first, { id: id(2), at: NOON }, settings);
    expect([first.firstHeartbeatId, second.firstHeartbeatId]).toEqual([id(1), id(1)]);
    expect([second.lastHeartbeatId, second.lastHeartbeatAt]).toEqual([id(2), NOON]);
  });

  it('knows a shared fingerprint by two heartbeats that are too close together', () => {
    expect(heard(first, { id: id(2), at: NOON }, settings).sharedAt).toEqual(NOON);
    expect(heard(first, { id: id(2), at: minutesAgo(60) }, settings).sharedAt).toEqual(minutesAgo(60));
    const aDayLater = new Date(minutesAgo(60).getTime() + settings.sharedFingerprintMinutes * 60_000);
    expect(heard(first, { id: id(2), at: aDayLater }, settings).sharedAt).toBeNull();
  });

  it('takes a heartbeat that comes again for the same one', () => {
    expect(heard(first, { id: id(1), at: minutesAgo(60) }, settings)).toEqual(first);
    const second = heard(first, { id: id(2), at: NOON }, settings);
    expect(heard(second, { id: id(1), at: minutesAgo(60) }, settings)).toEqual(second);
    expect(heard(second, { id: id(2), at: NOON }, settings)).toEqual(second);
    const nextDay = heard(first, { id: id(3), at: new Date(NOON.getTime() + 86_400_000) }, settings);
    expect(heard(nextDay, { id: id(1), at: minutesAgo(60) }, settings)).toEqual(nextDay);
  });

  it('finds them too close whichever is delivered first', () => {
    const [early, late] = [
      { id: id(1), at: minutesAgo(60) },
      { id: id(2), at: NOON },
    ];
    const turned = heard(heard(aDevice(), late, settings), early, settings);
    expect([turned.sharedAt, turned.lastHeartbeatId]).toEqual([NOON, id(2)]);
  });

  it('keeps the platform that the latest heartbeat with one named', () => {
    const named = heard(first, { id: id(2), at: NOON, platform: 'ios' }, settings);
    expect([first.platform, named.platform]).toEqual([null, 'ios']);
    const later = new Date(NOON.getTime() + 60_000);
    expect(heard(named, { id: id(3), at: later }, settings).platform).toBe('ios');
    expect(heard(named, { id: id(3), at: later, platform: 'android' }, settings).platform).toBe('android');
    expect(heard(named, { id: id(3), at: minutesAgo(1), platform: 'android' }, settings).platform).toBe('ios');
  });

  it('forgets that it was shared after a month', () => {
    expect(isShared(aDevice({ sharedAt: daysAgo(29) }), NOON, 30)).toBe(true);
    expect(isShared(aDevice({ sharedAt: daysAgo(30) }), NOON, 30)).toBe(false);
    expect(isShared(aDevice(), NOON, 30)).toBe(false);
  });
});
