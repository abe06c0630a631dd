// People, the homes that they live in, and the offices and schools that they go to.
import type { Values } from '../assumptions/assumptions.ts';
import type { Random } from './random.ts';

export function createPeople(count: number, values: Values, random: Random) {
  const { homeStarts, homeOf } = fillHomes(count, values, random);
  const everybody = Int32Array.from({ length: count }, (_, person) => person);
  const workers = shuffled(everybody, random).subarray(0, Math.round(count * values.workers));
  const { officeStarts, officeOf } = fillOffices(count, workers, values, random);
  return {
    count,
    homes: homeStarts.length - 1,
    offices: officeStarts.length - 1,
    homeOf: (person: number): number => homeOf[person]!,
    /** Returns the people who live in a home. */
    atHome: (home: number): Int32Array => everybody.subarray(homeStarts[home], homeStarts[home + 1]),
    /** Returns the office, or -1. */
    officeOf: (person: number): number => officeOf[person]!,
    atOffice: (office: number): Int32Array => workers.subarray(officeStarts[office], officeStarts[office + 1]),
  };
}
export type People = ReturnType<typeof createPeople>;

/** People who live together have following numbers. The size of a home is 1 and a binomial number. */
function fillHomes(count: number, { homeSize, homeLargest }: Values, random: Random) {
  const homeOf = new Int32Array(count);
  const homeStarts: number[] = [];
  const more = (homeSize - 1) / (homeLargest - 1);
  for (let person = 0; person < count; ) {
    const home = homeStarts.push(person) - 1;
    let size = 1;
    for (let i = 1; i < homeLargest; i++) if (random.chance(more)) size++;
    const end = Math.min(count, person + size);
    homeOf.fill(home, person, end);
    person = end;
  }
  return { homeOf, homeStarts: [...homeStarts, count] };
}

function fillOffices(count: number, workers: Int32Array, values: Values, random: Random) {
  const officeOf = new Int32Array(count).fill(-1);
  const officeStarts: number[] = [];
  const { officeSmallest, officeLargest } = values;
  for (let first = 0; first < workers.length; ) {
    const office = officeStarts.push(first) - 1;
    const size = Math.round(officeSmallest * (officeLargest / officeSmallest) ** random.uniform());
    const end = Math.min(workers.length, first + size);
    for (let i = first; i < end; i++) officeOf[workers[i]!] = office;
    first = end;
  }
  return { officeOf, officeStarts: [...officeStarts, workers.length] };
}

function shuffled(values: Int32Array, random: Random): Int32Array {
  const result = values.slice();
  for (let i = result.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const value = result[i]!;
    result[i] = result[j]!;
    result[j] = value;
  }
  return result;
}
