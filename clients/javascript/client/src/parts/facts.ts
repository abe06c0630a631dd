// Facts of the device and the app from the system, and the part of them that is sent.
import type { Fields } from '../link.ts';
import { bounded, type Facts, type System } from '../system.ts';

/** Milliseconds for which the system may think. */
const PATIENCE_MS = 1_000;
/** Later times are no date in JavaScript. */
const LAST_DATE_MS = 8.64e15;

export class FactBook {
  /** The facts that the system has told so far. */
  readonly told: Partial<Facts> = {};
  private readonly system: System;
  private readonly asked = new Map<keyof Facts, Promise<void>>();

  constructor(system: System) {
    this.system = system;
  }

  /** Waits until the system has told these facts, for at most a second. Never rejects. */
  async within(names: readonly (keyof Facts)[], ...others: readonly Promise<unknown>[]): Promise<Partial<Facts>> {
    await bounded(this.system, PATIENCE_MS, Promise.all([...names.map((name) => this.until(name)), ...others]));
    return this.told;
  }

  /** Waits until the system has told a fact. Never rejects. */
  until<Name extends keyof Facts>(name: Name): Promise<void> {
    let answer = this.asked.get(name);
    if (!answer) {
      answer = this.read(name).catch(() => {});
      this.asked.set(name, answer);
    }
    return answer;
  }

  private async read<Name extends keyof Facts>(name: Name): Promise<void> {
    const value = await this.system.facts[name]?.();
    if (fits(name, value)) this.told[name] = value as Facts[Name];
  }
}

/** Systems and their libraries say `null`, an empty text or -1 for what they do not know. */
const fits = (name: keyof Facts, value: unknown): boolean => {
  if (name === 'installedAt') return typeof value === 'number' && value > 0 && value < LAST_DATE_MS;
  if (name === 'certificates' || name === 'opens') return Array.isArray(value);
  return typeof value === 'string' && value !== '';
};

/** The names of what every heartbeat and restore says. */
export const EVIDENCE = ['platform', 'osVersion', 'model', 'language'] as const;

export const evidenceOf = (told: Partial<Facts>): Fields =>
  Object.assign({}, ...EVIDENCE.map((name) => told[name] !== undefined && { [name]: told[name] }));

/** Whole seconds since the install. Nothing if a clock was set back. */
export function installAge({ installedAt }: Partial<Facts>, now: number): Fields {
  const seconds = Math.floor((now - (installedAt ?? Number.NaN)) / 1_000);
  return seconds >= 0 ? { installedSecondsAgo: seconds } : {};
}
