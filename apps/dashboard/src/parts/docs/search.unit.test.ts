import { describe, expect, it } from 'vitest';
import { excerpt, searchOver, wordsOf } from './search.ts';

const guide = { slug: 'guides/docker', title: 'Docker', heading: 'Backup', id: 'backup', text: 'Copy the database.' };
const other = { slug: 'guides/people', title: 'People', heading: '', id: '', text: 'Roles. A backup of people.' };

describe('the search', () => {
  const answer = searchOver([other, guide], undefined);
  const search = (words: string) => answer(words).found;

  it('prefers headings to text, and leads to the anchor', () => {
    expect(search('backup').map(({ href }) => href)).toEqual(['/docs/guides/docker#backup', '/docs/guides/people']);
  });

  it('finds words by their beginning and with one mistake, and puts what has all words first', () => {
    expect(search('data').map(({ title }) => title)).toEqual(['Docker']);
    expect(search('bakcup')).toEqual([]);
    expect(search('bacup')).toHaveLength(2);
    expect(search('backup roles').map(({ title }) => title)).toEqual(['People', 'Docker']);
    expect(search('nothing')).toEqual([]);
  });

  it('finds a word in another form, and says which form it found', () => {
    expect(search('databases')).toMatchObject([{ title: 'Docker', words: expect.arrayContaining(['database']) }]);
    expect(search('copying')).toMatchObject([{ title: 'Docker' }]);
  });

  it('knows what people mean by other words, and asks for no fillers', () => {
    const factor = { slug: 'guides/people', title: 'People', heading: 'Second factor', id: 'f', text: 'A code.' };
    const search = searchOver([other, factor], undefined);
    for (const words of ['2FA', 'two-factor', 'what is the second factor'])
      expect(search(words)).toMatchObject({ hasAll: true, found: [{ heading: 'Second factor' }] });
  });

  it('puts what has that name first: a heading, a guide, a setting', () => {
    const passages = [
      ['guides/clicked', 'Link clicked, clicked link', 'More', 'clicked link'],
      ['reference/messages', 'Messages', 'link.clicked', 'Read.'],
      ['guides/docker', 'Docker Compose', 'Docker again', 'docker compose DATABASE_URL'],
      ['guides/docker', 'Docker Compose', '', 'Start.'],
      ['reference/configuration', 'Configuration', '', `PORT DATABASE_URL ${'more '.repeat(50)}`],
    ] as const;
    const answer = searchOver(
      passages.map(([slug, title, heading, text]) => ({ slug, title, heading, id: heading, text })),
      undefined,
    );
    const first = (words: string) => answer(words).found[0]?.href;
    expect(first('Link.clicked')).toBe('/docs/reference/messages#link.clicked');
    expect(first('docker')).toBe('/docs/guides/docker');
    expect(first('DATABASE_URL')).toBe('/docs/reference/configuration');
  });

  it('finds what has some of the words where nothing has all, and says so', () => {
    expect(answer('backup for moons')).toMatchObject({
      hasAll: false,
      found: [{ title: 'Docker' }, { title: 'People' }],
    });
    expect(answer('backup roles').hasAll).toBe(true);
  });
});

describe('an excerpt', () => {
  const text = `${'before '.repeat(60)}target ${'after '.repeat(60)}`;

  it('shows the text around the first of the words', () => {
    expect(excerpt(text, ['target'])).toMatch(/^… before .*target after.* after …$/);
    expect(excerpt('short', ['target'])).toBe('short');
    expect(excerpt(text, ['none'])).toMatch(/^before/);
  });
});

it('the words of an address are text, whatever they look like', () => {
  expect([{ q: 429 }, { q: true }, { q: null }, { q: 'a' }, {}].map(wordsOf)).toEqual([
    { q: '429' },
    { q: 'true' },
    { q: 'null' },
    { q: 'a' },
    {},
  ]);
});
