import { describe, expect, it } from 'vitest';
import { containersOnly, type Ways, whereFrom } from './where-from.ts';

const ADDRESS = 'kafka.example:9092';
const NO_PROGRAM = 'Kafka needs Java.';
const NO_ENGINE = 'No Docker engine answers.';

/** The available ways; every question is noted. */
function ways(there: { address?: boolean; program?: boolean; engine?: boolean; containersOnly?: boolean }) {
  const asked: string[] = [];
  const all: Ways = {
    variable: 'TEST_KAFKA_BROKERS',
    address: there.address ? ADDRESS : undefined,
    containersOnly: there.containersOnly ?? false,
    noProgram() {
      asked.push('program');
      return there.program ? undefined : NO_PROGRAM;
    },
    async noEngine() {
      asked.push('engine');
      return there.engine ? undefined : NO_ENGINE;
    },
  };
  return { all, asked };
}

describe('whereFrom', () => {
  const yes = true;
  it.each([
    ['an address before everything', { address: yes, program: yes, engine: yes }, 'address', []],
    ['a program of this machine before a container', { program: yes, engine: yes }, 'program', ['program']],
    ['a container where there is no program', { engine: yes }, 'container', ['program', 'engine']],
    [
      'no program when containers alone are wanted',
      { containersOnly: yes, program: yes, engine: yes },
      'container',
      ['engine'],
    ],
    ['an address also then', { containersOnly: yes, address: yes, engine: yes }, 'address', []],
    ['nothing where there is nothing', {}, 'nowhere', ['program', 'engine']],
    [
      'nothing where containers alone are wanted and no engine answers',
      { containersOnly: yes, program: yes },
      'nowhere',
      ['engine'],
    ],
  ] as const)('takes %s, and asks no further', async (_, there, from, expected) => {
    const { all, asked } = ways(there);
    expect(await whereFrom(all)).toMatchObject({ from });
    expect(asked).toEqual(expected);
  });

  it('hands on the address', async () => {
    expect(await whereFrom(ways({ address: yes }).all)).toEqual({ from: 'address', address: ADDRESS });
  });

  it('says what was tried', async () => {
    expect(await whereFrom(ways({}).all)).toEqual({
      from: 'nowhere',
      why: `TEST_KAFKA_BROKERS is not set. ${NO_PROGRAM} ${NO_ENGINE}`,
    });
    expect(await whereFrom(ways({ containersOnly: yes, program: yes }).all)).toEqual({
      from: 'nowhere',
      why: `TEST_KAFKA_BROKERS is not set. TEST_WITH=containers leaves out what is installed here. ${NO_ENGINE}`,
    });
  });
});

describe('TEST_WITH', () => {
  it('is containers, or left out', () => {
    expect(['containers', '', undefined].map(containersOnly)).toEqual([true, false, false]);
    expect(() => containersOnly('docker')).toThrow('TEST_WITH is "docker": leave it out, or set it to "containers".');
  });
});
