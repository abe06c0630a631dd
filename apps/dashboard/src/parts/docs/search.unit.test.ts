import { describe, expect, it } from 'vitest';
import { excerpt, searchOver } from './search.ts';

const guide = { slug: 'guides/docker', title: 'Docker', heading: 'Backup', id: 'backup', text: 'Copy the database.' };
const other = { slug: 'guides/people', title: 'People', heading: '', id: '', text: 'Roles. A backup of people.' };

describe('the search', () => {
  const answer = searchOver([other, guide], undefined);
  const search = (words: string) => answer(words).found;

  it('prefers headings to text, and leads to the anchor', () => {
    expect(search('backup').map(({ href }) => href)).toEqual(['/docs/guides/docker#backup', '/docs/guides/people']);
  });

  it('finds words by their beginning and with one mistake, and what has all words alone', () => {
    expect(search('data').map(({ title }) => title)).toEqual(['Docker']);
    expect(search('bakcup')).toEqual([]);
    expect(search('bacup')).toHaveLength(2);
    expect(search('backup roles').map(({ title }) => title)).toEqual(['People']);
    expect(search('nothing')).toEqual([]);
  });

  it('finds a word in another form, and says which form it found', () => {
    expect(search('databases')).toMatchObject([{ title: 'Docker', words: expect.arrayContaining(['database']) }]);
    expect(search('copying')).toMatchObject([{ title: 'Docker' }]);
  });

  it('finds what has some of the words where nothing has all, and says so', () => {
    expect(answer('backup of the moon')).toMatchObject({
      hasAll: false,
      found: [{ title: 'Docker' }, { title: 'People' }],
    });
    expect(answer('backup roles').hasAll).toBe(true);
  });
});

describe('an excerpt', () => {
  const text = `${'before '.repeat(60)}target ${'after '.repeat(60)}`;

  it('shows the text around the first of the words', () => {
    expect(excerpt(text, ['target'])).toMatch(/^… before .*target after.* …$/);
    expect(excerpt('short', ['target'])).toBe('short');
    expect(excerpt(text, ['none'])).toMatch(/^before/);
  });
});
