import { describe, expect, it } from 'vitest';
import { toClick } from './click.ts';

const id = '3928e671-ec39-4c03-9d6f-9d3deea1b699';
const linkId = '43b097e4-5420-43e1-9ef5-07798694fb68';
const headers = { ce_id: id, ce_type: 'LinkClicked', ce_time: '2026-11-21T21:59:59.999Z' };
const click = (changed: Record<string, string | undefined> = {}, data: unknown = { linkId }) =>
  toClick({ headers: { ...headers, ...changed }, value: Buffer.from(JSON.stringify(data)) });

describe('a click', () => {
  it('is read from headers and value, whatever else is there', () => {
    const read = { id, linkId, hour: '2026-11-21T21:00:00.000Z' };
    expect(click()).toEqual(read);
    expect(click({ ce_later: 'x' }, { linkId, later: { x: 1 }, platform: 'vision' })).toEqual(read);
    expect(click({ ce_time: '2026-11-21T23:30:00+02:00' })).toEqual(read);
    const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
    expect(toClick({ headers: bytes, value: Buffer.from(JSON.stringify({ linkId })) })).toEqual(read);
  });

  it.each([
    ['another type', click({ ce_type: 'LinkOpened' })],
    ['no id', click({ ce_id: undefined })],
    ['no uuid', click({ ce_id: '42' })],
    ['no time', click({ ce_time: undefined })],
    ['a time that is none', click({ ce_time: '2026-13-21T00:00:00Z' })],
    ['a time that PostgreSQL has not', click({ ce_time: '0000-01-01T00:00:00Z' })],
    ['no link', click({}, {})],
    ['a link of another kind', click({}, { linkId: 7 })],
    ['null', click({}, null)],
    ['no value', toClick({ headers, value: null })],
    ['no JSON', toClick({ headers, value: Buffer.from('{') })],
    ['no headers', toClick({ value: Buffer.from('{}') })],
  ])('is not one with %s', (_, read) => expect(read).toBeNull());
});
