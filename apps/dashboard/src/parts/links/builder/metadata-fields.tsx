import { ActionIcon, Alert, Button, Group, JsonInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { objectOf } from '../../forms/changes.ts';
import { isText, metadataOf, type Pair, pairsOf, personalKey, SOCIAL, textOf, withText } from '../values/metadata.ts';
import { isMadeSlug } from '../values/slug.ts';
import type { LinkForm } from './address-fields.tsx';

/** The metadata of a link: the labels of the app by name, other values by key, or all of it as JSON. */
export function MetadataFields({ form }: { form: LinkForm }) {
  const t = useTranslations('linkBuilder');
  const { labels } = useApp();
  const { metadata, slug } = form.getValues();
  const [json, setJson] = useState<string | null>(null);
  const set = (pairs: Pair[]) => form.setFieldValue('metadata', pairs);
  const personal = personalKey(metadata);
  // A long address cannot be guessed, so only people who have it read the metadata.
  const isGuessable = slug.trim() !== '' && !isMadeSlug(slug);
  return (
    <Stack gap="sm">
      <Text>{t('metadataHelp')}</Text>
      {json === null ? (
        <>
          {labels.map((label) => (
            <TextInput
              key={label}
              label={label}
              description={t('labelHelp')}
              value={textOf(metadata, label)}
              onChange={({ currentTarget: { value } }) => set(withText(metadata, label, value))}
            />
          ))}
          <Pairs pairs={metadata} named={[...labels, ...SOCIAL]} onChange={set} />
        </>
      ) : (
        <JsonInput
          label={t('json')}
          autosize
          minRows={4}
          value={json}
          error={objectOf(json) === null && t('jsonInvalid')}
          onChange={(text) => {
            setJson(text);
            const value = objectOf(text);
            if (value !== null) set(pairsOf(value));
          }}
        />
      )}
      {form.errors.metadata && (
        <Text c="var(--mantine-color-error)" role="alert">
          {form.errors.metadata}
        </Text>
      )}
      <Switch
        label={t('asJson')}
        checked={json !== null}
        // A text that is no object would be lost.
        disabled={json !== null && objectOf(json) === null}
        onChange={() => setJson(json === null ? JSON.stringify(metadataOf(metadata), null, 2) : null)}
      />
      {isGuessable && personal !== null && (
        <Alert color="yellow" role="status" title={t('personal', { key: personal })}>
          {t('personalText')}
        </Alert>
      )}
    </Stack>
  );
}

interface PairsProps {
  pairs: readonly Pair[];
  /** Keys that have a field of their own. */
  named: readonly string[];
  onChange: (pairs: Pair[]) => void;
}

function Pairs({ pairs, named, onChange }: PairsProps) {
  const t = useTranslations('linkBuilder');
  const change = (place: number, to: Partial<Pair>) =>
    onChange(pairs.map((pair, n) => (n === place ? { ...pair, ...to } : pair)));
  const shown = pairs
    .map((pair, place) => ({ pair, place }))
    .filter(({ pair }) => !(named.includes(pair.key) && isText(pair)));
  return (
    <>
      {shown.map(({ pair, place }, row) => (
        <Group key={place} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            label={row === 0 && t('key')}
            aria-label={t('keyNamed', { number: row + 1 })}
            value={pair.key}
            onChange={({ currentTarget: { value } }) => change(place, { key: value })}
          />
          <TextInput
            flex={2}
            label={row === 0 && t('value')}
            aria-label={t('valueNamed', { number: row + 1 })}
            // A number or a list would become a text.
            readOnly={!isText(pair)}
            value={pair.text}
            onChange={({ currentTarget: { value } }) => change(place, { text: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removePair', { number: row + 1 })}
            onClick={() => onChange(pairs.filter((_, n) => n !== place))}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {pairs.some((pair) => !isText(pair)) && <Text size="xs">{t('notTexts')}</Text>}
      <Group>
        <Button size="xs" variant="default" onClick={() => onChange([...pairs, { key: '', text: '' }])}>
          {t('addPair')}
        </Button>
      </Group>
    </>
  );
}
