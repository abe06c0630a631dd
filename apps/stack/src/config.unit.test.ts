import { describe, expect, it } from 'vitest';
import { processesOf } from './config.ts';

describe('processesOf', () => {
  it('reads how many of each service there are', () => {
    expect(processesOf([])).toEqual({ gateway: 2, console: 1, link: 2, attribution: 1, push: 1, analytics: 1 });
    expect(processesOf(['--links', '3', '--gateways=1', '--pushes', '2'])).toEqual({
      gateway: 1,
      console: 1,
      link: 3,
      attribution: 1,
      push: 2,
      analytics: 1,
    });
  });

  it.each([
    [['--links', '0'], '--links is from 1 to 16'],
    [['--links', 'two'], '--links is from 1 to 16'],
    [['--servers', '2'], "Unknown option '--servers'"],
    [['two'], 'two'],
  ])('refuses %o in a sentence that shows how it is used', (args, sentence) => {
    expect(() => processesOf(args)).toThrow(sentence);
    expect(() => processesOf(args)).toThrow('npm run stack -- [--gateways 2]');
  });
});
