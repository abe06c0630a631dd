import { expect, it } from 'vitest';
import { bearing, createLane, type Lane, restMs, wentThrough } from './lane.ts';

const aLane = (sent: number) => {
  const lane = createLane({ appId: 'app', kind: 'fcm' });
  for (let n = 0; n < sent; n++) wentThrough(lane);
  return lane;
};

const bearsRefusal = (lane: Lane) => {
  const refusal = { kind: 'wait', whom: 'all', reason: 'UNAVAILABLE', retryAfterMs: null } as const;
  return bearing(lane, refusal) !== refusal;
};

it('rests at the first refusal while little has gone through', () => {
  expect(bearsRefusal(aLane(0))).toBe(false);
  expect(bearsRefusal(aLane(19))).toBe(false);
});

it('bears one refusal in a hundred, for ever', () => {
  const lane = aLane(100);
  for (let round = 0; round < 100; round++) {
    expect(bearsRefusal(lane)).toBe(true);
    for (let n = 0; n < 99; n++) wentThrough(lane);
  }
});

it('rests after ten refusals in a row, however much went through before', () => {
  const lane = aLane(100_000);
  const borne = Array.from({ length: 20 }, () => bearsRefusal(lane));
  expect(borne.filter(Boolean)).toHaveLength(10);
});

it('rests longer each time, until pushes go through again', () => {
  const lane = aLane(0);
  const rests = Array.from({ length: 8 }, () => restMs(lane, null, () => 0.5));
  expect(rests).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 32_500, 32_500, 32_500]);
  for (let n = 0; n < 21; n++) wentThrough(lane);
  expect(restMs(lane, null, () => 0.5)).toBe(1_500);
  expect(restMs(lane, 7_000, () => 0)).toBe(7_500);
});
