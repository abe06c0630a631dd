import { describe, expect, it } from 'vitest';
import { type Asker, createGate, TooManyQuestions } from './gate.ts';

const LIMITS = {
  atOnce: 3,
  atOnceOfApp: 1,
  atOnceOfCaller: 2,
  waiting: 6,
  waitingOfCaller: 4,
  workOfCallerMs: 1_000,
};

function opened() {
  let now = 0;
  const gate = createGate(LIMITS, () => now);
  const began: string[] = [];
  /** Asks, and returns what gives the place back, when the question has one. */
  const ask = (name: string, appId: string, caller: string, expired: Asker['expired'] = () => false) => {
    const entered = gate.enter({ appId, caller, expired }).then(
      (leave) => {
        began.push(name);
        return leave;
      },
      (error: unknown) => {
        if (!(error instanceof TooManyQuestions)) throw error;
        began.push(`${name}: again in ${error.seconds} s`);
        return () => {};
      },
    );
    return async () => (await entered)();
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { ask, began, settled, pass: (ms: number) => (now += ms) };
}

describe('the gate of questions', () => {
  it('works on one question of an app, and on two of a caller, at the same time', async () => {
    const { ask, began, settled } = opened();
    const leave = ask('a1', 'a', 'ada');
    ask('a2', 'a', 'bob');
    ask('b1', 'b', 'ada');
    ask('c1', 'c', 'ada');
    await settled();
    expect(began).toEqual(['a1', 'b1']);
    await leave();
    await settled();
    expect(began).toEqual(['a1', 'b1', 'a2', 'c1']);
  });

  it('refuses what may not wait any more, and lets others wait beside it', async () => {
    const { ask, began, settled } = opened();
    for (let n = 0; n < 40; n++) ask(`ada ${n}`, 'a', 'ada');
    ask('eve', 'e', 'eve');
    await settled();
    expect(began.filter((name) => !name.includes('again'))).toEqual(['ada 0', 'eve']);
    // One works, four wait.
    expect(began.filter((name) => name.includes('again in 3 s'))).toHaveLength(35);
  });

  it('begins with no question whose caller has left', async () => {
    const { ask, began, settled } = opened();
    const leave = ask('first', 'a', 'ada');
    let left = false;
    ask('left', 'a', 'ada', () => left);
    ask('waits', 'a', 'bob');
    left = true;
    await leave();
    await settled();
    expect(began).toEqual(['first', 'left: again in 3 s', 'waits']);
  });

  it('refuses a caller who had enough work for this minute, and no other', async () => {
    const { ask, began, settled, pass } = opened();
    const leave = ask('long', 'a', 'ada');
    await settled();
    pass(1_200);
    await leave();
    ask('too much', 'b', 'ada');
    ask('other', 'a', 'bob');
    pass(60_000);
    ask('later', 'b', 'ada');
    await settled();
    expect(began).toEqual(['long', 'too much: again in 60 s', 'other', 'later']);
  });
});
