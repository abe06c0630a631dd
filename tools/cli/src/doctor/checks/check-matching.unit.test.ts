import { expect, it } from 'vitest';
import { matchingFinding } from './check-matching.ts';

const devices = { seen: 1_200, firstSeen: 96 };
const young = { reason: 'young' as const, until: '2026-11-30T09:30:00.000Z' };
const grown = { reason: 'manyNewDevices' as const, until: null };
function line(...all: Parameters<typeof matchingFinding>[0]) {
  const { state, says, remedy } = matchingFinding(all);
  return `${state} ${says} → ${remedy}`;
}

it('is fine where phones that look new are new, and where no phone was seen', () => {
  const expected = 'ok phones that look new are taken for new in all apps → undefined';
  expect(line()).toBe(expected);
  expect(line({ name: 'Shop', state: { rollout: null, devices } })).toBe(expected);
  const unused = { rollout: young, devices: { seen: 0, firstSeen: 0 } };
  expect(line({ name: 'Shop', state: unused })).toBe(expected);
});

it('names the apps that older users may be updating, and what ends it', () => {
  const found = line(
    { name: 'Shop', state: { rollout: young, devices } },
    { name: 'Bank', state: { rollout: grown, devices } },
    { name: 'Game', state: { rollout: null, devices } },
  );
  expect(found).toMatch(
    /^warn .* in Shop \(new to Landfall, until 2026-11-30\), Bank \(96 of 1200 devices never seen before today\): /,
  );
  expect(found).toContain('installedSecondsAgo');
  expect(found).toContain('matching.existingUsers');
});

it('is skipped where the gateway does not say it', () => {
  expect(line({ name: 'Shop', state: null })).toBe('skipped the gateway does not say it of Shop → undefined');
});
