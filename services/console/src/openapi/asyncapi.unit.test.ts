// Tests the document of the public topics: it matches the code, the AsyncAPI parser finds no errors in it, and it has
// the required content.
import { Parser } from '@asyncapi/parser';
import { type AsyncApi, recordChecker } from '@landfall/testkit';
import { describe, expect, it } from 'vitest';
import { asyncapi, type Json } from './asyncapi.ts';

const text = JSON.stringify(asyncapi());
const written: Json & AsyncApi = JSON.parse(text);

const ERROR = 0;
const WARNING = 1;
/** Returns the errors and warnings of the official parser for a document, without its remarks. */
async function wrongIn(document: string): Promise<string[]> {
  const { diagnostics } = await new Parser().parse(document);
  return diagnostics
    .filter(({ severity }) => [ERROR, WARNING].includes(severity))
    .map(({ code, message, path: at }) => `${code} at ${at.join('/')}: ${message}`);
}

describe('the document of the public topics', () => {
  it('is valid AsyncAPI 3.0', async () => {
    expect(written.asyncapi).toBe('3.0.0');
    expect(await wrongIn(text)).toEqual([]);
  });

  it('would be found with a field that AsyncAPI does not know', async () => {
    const { asyncapi, info } = written;
    const wrong = await wrongIn(JSON.stringify({ asyncapi, info, topics: {} }));
    expect(wrong).toEqual([expect.stringContaining('topics')]);
  });

  it('has examples that are what it says', () => {
    const check = recordChecker(written);
    for (const { address: topic, messages } of Object.values(written.channels)) {
      const [name = ''] = Object.keys(messages);
      const examples = written.components.messages[name]!.examples;
      expect(examples.length).toBeGreaterThan(0);
      for (const { headers, payload } of examples)
        expect(check({ topic, key: headers.ce_partitionkey!, headers, value: JSON.stringify(payload) })).toEqual([]);
    }
  });

  it('has the public events and no others', () => {
    expect(Object.keys(written.channels).sort()).toEqual([
      'app.association',
      'device.active',
      'device.installed',
      'exit.used',
      'link.clicked',
      'link.created',
      'link.edited',
      'link.opened',
      'links.restored',
      'push.dropped',
      'push.failed',
      'push.opened',
      'push.registered',
      'push.sent',
      'push.unregistered',
    ]);
  });

  it('forbids no field that a later version may add', () => {
    expect(text).not.toMatch(/"additionalProperties": *false/);
  });
});
