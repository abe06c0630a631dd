// The shared parts of one simulated world: its people, their phones, the places where they are, and its size.
import type { WorldSpec } from '../assumptions/worlds.ts';
import { createPeople } from './people.ts';
import { createPhones } from './phones.ts';
import { createPlaces } from './places.ts';
import { createRandom, numberOf, type Random } from './random.ts';

/** How much is simulated. */
export interface Size {
  /** Users of the app at the begin. It is a slice: the whole app may have more. */
  readonly users: number;
  /** Days before the scored ones, in which the product gets to know the users. */
  readonly warmUp: number;
  /** Scored days. */
  readonly days: number;
}

export function createGround(spec: WorldSpec, size: Size, seed: string) {
  /** Returns random numbers for one purpose. A change in one part of the world does not change the others. */
  const random = (purpose: string): Random => createRandom(`${seed} ${spec.name} ${purpose}`);
  const number = numberOf(`${seed} ${spec.name}`);
  const { values } = spec;
  const people = createPeople(Math.round(size.users / values.penetration), values, random('people'));
  const phones = createPhones(values, number);
  const places = createPlaces(people, values, number);
  return { spec, values, size, people, phones, places, random };
}
export type Ground = ReturnType<typeof createGround>;
