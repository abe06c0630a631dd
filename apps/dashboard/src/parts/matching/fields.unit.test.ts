import { MatchingSettings, MOST_WHAT_IF_MINUTES } from '@landfall/contracts';
import { describe, expect, it } from 'vitest';
import { groups, presetOf, presets, replayable } from './fields.ts';

const current = MatchingSettings.parse({});

describe('the settings of matching', () => {
  it('have a field each, with the limits of the API', () => {
    const fields = Object.entries(Object.assign({}, ...Object.values(groups)) as Record<string, [number, number]>);
    expect(['existingUsers', 'evidence', ...fields.map(([name]) => name)].sort()).toEqual(Object.keys(current).sort());
    for (const [name, [min, max]] of fields) {
      const takes = (value: number) => MatchingSettings.safeParse({ [name]: value }).success;
      expect([min - 1, min, max, max + 1].map(takes), name).toEqual([false, true, true, false]);
    }
  });

  it('are one of three choices, or numbers of their own', () => {
    expect(presetOf(current)).toBe('balanced');
    for (const preset of ['careful', 'balanced', 'generous'] as const) {
      expect(presetOf({ ...current, ...presets[preset] })).toBe(preset);
      expect(MatchingSettings.parse(presets[preset])).toMatchObject(presets[preset]);
      expect(presets[preset].windowMinutes).toBeLessThanOrEqual(MOST_WHAT_IF_MINUTES);
    }
    expect(presetOf({ ...current, windowMinutes: 61 })).toBeNull();
    for (const name of Object.keys(presets.balanced) as (keyof typeof presets.balanced)[]) {
      expect(presets.careful[name], name).toBeLessThan(presets.balanced[name]);
      expect(presets.generous[name], name).toBeGreaterThanOrEqual(presets.balanced[name]);
    }
  });

  it('are tried, where a replay can', () => {
    expect(replayable({ windowMinutes: 60 })).toEqual({ tried: { windowMinutes: 60 }, rest: false });
    expect(replayable({ windowMinutes: 60, tokenDays: 1 })).toEqual({ tried: { windowMinutes: 60 }, rest: true });
  });
});
