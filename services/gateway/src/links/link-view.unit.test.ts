import type { Link } from '@landfall/contracts';
import { aLink } from '@landfall/contracts/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkData, pathOf, queryOf, resolvedView } from './link-view.ts';

const link = (destination: string, metadata: Link['metadata'] = {}): Link => aLink({ destination, metadata });

describe('a destination', () => {
  it.each([
    ['/a/b', '/a/b', {}],
    ['/a?x=1&y=2', '/a', { x: '1', y: '2' }],
    ['/a#top', '/a', {}],
    ['/a?x=1#top?y=2', '/a', { x: '1' }],
    ['/a#top?x=1', '/a', {}],
    ['/a?x=1&x=2', '/a', { x: '2' }],
    ['/a?x=%20b+c', '/a', { x: ' b c' }],
    ['/a?x=%zz', '/a', { x: '%zz' }],
    ['/a?__proto__=1&y=2', '/a', { ['__proto__']: '1', y: '2' }],
    ['/a?', '/a', {}],
  ])('%s has its path and its query', (destination, path, query) => {
    expect(pathOf(destination)).toBe(path);
    expect(queryOf(destination)).toEqual(query);
  });
});

describe('a resolved link', () => {
  it('has the fields of spec 2.3', () => {
    expect(resolvedView(link('/a?code=1', { inviter: 'ann' }))).toEqual({
      id: aLink().id,
      slug: aLink().slug,
      destination: '/a?code=1',
      destination_path: '/a',
      destination_web_url: '/a?code=1',
      metadata: { inviter: 'ann', destination_path: '/a', destination_full: '/a?code=1', created_via: 'sdk' },
      parameters: { inviter: 'ann', code: '1' },
    });
  });

  it('has the keys of the service in metadata, and not in parameters', () => {
    const { metadata, parameters } = linkData(link('/a', { created_via: 'me', destination_path: '/x', k: 1 }));
    expect(metadata).toEqual({ created_via: 'sdk', destination_path: '/a', destination_full: '/a', k: 1 });
    expect(parameters).toEqual({ k: 1 });
  });

  it("prefers the destination's query in parameters, and the caller's utm in metadata", () => {
    const { metadata, parameters } = linkData(link('/a?utm_source=query&utm_term=t', { utm_source: 'given' }));
    expect(metadata).toMatchObject({ utm_source: 'given', utm_term: 't' });
    expect(parameters).toEqual({ utm_source: 'query', utm_term: 't' });
  });

  it('has __proto__ as an ordinary parameter', () => {
    const { parameters } = linkData(link('/a?__proto__=x', { k: 1 }));
    expect(JSON.stringify(parameters)).toBe('{"k":1,"__proto__":"x"}');
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
  });

  it('always has objects', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const { metadata, parameters } = linkData(link(`/${path}?${query}`));
        expect(JSON.parse(JSON.stringify([metadata, parameters]))).toEqual([metadata, parameters]);
      }),
    );
  });
});
