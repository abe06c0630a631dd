import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { stateOf, type Tone } from './states.ts';

const COLORS = { off: 'gray.8', warning: 'yellow.4', wrong: 'red.9' } as const;

/** A state that is normal is text. One that somebody may have to do something about is a badge. */
export function Toned({ tone, children }: { tone: Tone; children: ReactNode }) {
  if (tone === 'good' || tone === 'plain') return <Text span>{children}</Text>;
  return <Badge color={COLORS[tone]}>{children}</Badge>;
}

interface StateProps<Facts, Word extends string> {
  /** One of `states`. */
  words: Readonly<Record<Word, readonly [Tone, (facts: Facts) => boolean]>>;
  of: Facts;
  t: (word: Word) => ReactNode;
}

export function State<Facts, Word extends string>({ words, of, t }: StateProps<Facts, Word>) {
  const { word, tone } = stateOf(words, of);
  return <Toned tone={tone}>{t(word)}</Toned>;
}
