import type { StoredLetter } from '@landfall/bus';
import { expect, it } from 'vitest';
import { letterText, listText } from './print-letters.ts';

const letter = (more: Partial<StoredLetter> = {}): StoredLetter => ({
  group: 'attribution.taps',
  place: '2:17',
  message: 'LinkClicked',
  messageId: '0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11',
  key: 'k',
  data: { linkId: 'l', secret: 'v1.sealed' },
  reason: 'Error: broken',
  attempts: 3,
  at: new Date('2026-11-21T18:56:30.123Z'),
  replayed: false,
  dropped: false,
  ...more,
});

it('lists letters in columns', () => {
  expect(listText([letter(), letter({ place: '0:1', message: '', messageId: '', replayed: true })], 0)).toBe(
    `GROUP             PLACE  TIME                      MESSAGE      MESSAGE ID                            ATTEMPTS  REPLAYED  DROPPED  REASON
attribution.taps  2:17   2026-11-21T18:56:30.123Z  LinkClicked  0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11  3         no        no       Error: broken
attribution.taps  0:1    2026-11-21T18:56:30.123Z  -            -                                     3         yes       no       Error: broken`,
  );
});

it('says that there are none, and how many were replayed', () => {
  expect(listText([], 0)).toBe('No dead letters.');
  expect(listText([], 1)).toBe('No dead letters.\n1 more was replayed or dropped: --all shows it, too.');
  expect(listText([letter()], 2)).toMatch(/\n2 more were replayed or dropped: --all shows them, too\.$/);
});

it('shortens a long reason in the list, and shows all of it alone', () => {
  const reason = 'x'.repeat(500);
  expect(listText([letter({ reason })], 0)).toContain(`${'x'.repeat(120)} …`);
  expect(letterText(letter({ reason }))).toContain(reason);
});

it('lets nothing of a letter speak to the terminal', () => {
  const evil = letter({ reason: 'a\x1b[2Jb\nc\u202ed', data: 'no {\x07', headers: { 'x\r': '\x1b]0;t\x07' } });
  for (const text of [listText([evil], 0), letterText(evil)])
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(letterText(evil)).toContain('a\\u001b[2Jb\\u000ac\\u202ed');
});

it('shows where a letter was found, its headers and its data as they lie', () => {
  const kafka = { topic: 'link.clicked', partition: 2, offset: '40', headers: { ce_type: 'LinkClicked' } };
  expect(letterText(letter(kafka))).toBe(`group        attribution.taps
place        2:17
time         2026-11-21T18:56:30.123Z
message      LinkClicked
message id   0193b2f0-7a61-7c3e-8f4a-2f6f5a1d9c11
key          k
attempts     3
replayed     no
dropped      no
reason       Error: broken
found first  link.clicked, partition 2, offset 40
headers
  ce_type  LinkClicked
data
{
  "linkId": "l",
  "secret": "v1.sealed"
}`);
});
