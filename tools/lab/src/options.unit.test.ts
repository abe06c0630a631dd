import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';

describe('the options of the lab', () => {
  it('are all worlds and rules when none is given, smaller with --short', () => {
    const full = readOptions([]);
    const short = readOptions(['--short']);
    expect(full.worlds).toHaveLength(27);
    expect(full.rules).toContain('public');
    expect(short.worlds).toEqual(full.worlds);
    expect(short.seeds).toBeLessThan(full.seeds);
    expect(short.size.users).toBeLessThan(full.size.users);
  });

  it('choose worlds and rules by name, and groups of them', () => {
    const { worlds, rules } = readOptions(['--worlds', 'home,rollouts', '--rules', 'ours,last-tap']);
    expect(worlds.map(({ name }) => name)).toContain('home');
    expect(worlds).toHaveLength(13);
    expect(rules).toHaveLength(12);
  });

  it('name what is wrong', () => {
    expect(() => readOptions(['--worlds', 'moon'])).toThrow('There is no world moon');
    expect(() => readOptions(['--seeds', 'x'])).toThrow('--seeds must be a whole number from 1 to 1000.');
    expect(() => readOptions(['--vary', 'weather'])).toThrow('There is no assumption weather');
  });
});
