import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { readDestination } from '../values/destination.ts';
import { hostsOf, type LinkValues, placesOf, randomSlug, taken } from '../values/link-values.ts';
import { slugFaultOf } from '../values/slug.ts';
import type { SlugState } from './use-slug-state.ts';

export type LinkForm = UseFormReturnType<LinkValues>;

interface DestinationFieldProps {
  form: LinkForm;
  /** The destination of a link that exists. */
  stored: string | undefined;
}

/** Where the link leads: any path or address that a person pastes. */
export function DestinationField({ form, stored }: DestinationFieldProps) {
  const t = useTranslations('linkBuilder');
  const app = useApp();
  const places = placesOf(app);
  const { destination, webUrl } = form.getValues();
  const read = readDestination(destination, places);
  const page = ('fault' in read ? null : read.webUrl) ?? webUrl;
  function take(text: string) {
    const read = readDestination(text, places);
    if (text.trim() === '' || text === stored) return;
    if ('fault' in read) form.setFieldError('destination', t(`faults.${read.fault}`));
    else {
      form.setValues(taken({ ...form.getValues(), destination: text }, places));
      form.clearFieldError('destination');
    }
  }
  return (
    <div>
      <TextInput
        required
        autoFocus={stored === undefined}
        label={t('destination')}
        description={t('destinationHelp')}
        placeholder="/sale"
        maxLength={4_096}
        {...form.getInputProps('destination')}
        onBlur={({ currentTarget: { value } }) => take(value)}
        // At once, so that nothing moves later, when the person clicks elsewhere.
        onPaste={({ currentTarget, clipboardData }) => {
          const isAll = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === currentTarget.value.length;
          const text = clipboardData.getData('text/plain');
          if (isAll && !('fault' in readDestination(text, places))) requestAnimationFrame(() => take(text));
        }}
      />
      {!('fault' in read) && (
        <Text size="xs" mt={4} role="status" style={{ overflowWrap: 'anywhere' }}>
          {t('opens', { path: read.destination })}{' '}
          {page ? t('opensPage', { page }) : t(app.webFallbackUrl ? 'opensWeb' : 'opensNoWeb')}
        </Text>
      )}
    </div>
  );
}

/** Returns a function that says what is wrong with a slug. */
export function useSlugFault(): (slug: string) => string | null {
  const t = useTranslations('linkBuilder.slugFaults');
  return (slug) => {
    const wrong = slug === '' ? null : slugFaultOf(slug);
    return wrong && t(wrong.fault, { found: wrong.found });
  };
}

interface SlugFieldProps {
  form: LinkForm;
  host: string;
  onHost: (host: string) => void;
  state: SlugState;
  /** Free ones, when the entered one is taken. */
  suggestions: readonly string[];
}

/** The short address. A link that exists keeps its own. */
export function SlugField({ form, host, onHost, state, suggestions }: SlugFieldProps) {
  const t = useTranslations('linkBuilder');
  const faultOf = useSlugFault();
  const fault = {
    taken: t('slugTaken'),
    invalid: faultOf(form.getValues().slug),
    empty: null,
    typed: null,
    free: null,
  }[state];
  const hosts = hostsOf(useApp());
  return (
    <Stack gap={6}>
      <Group align="flex-start" gap="xs">
        {hosts.length > 1 && (
          <Select
            label={t('host')}
            description={t('hostHelp')}
            data={hosts}
            value={host}
            onChange={(chosen) => chosen !== null && onHost(chosen)}
            flex={1}
            miw={180}
          />
        )}
        <TextInput
          label={t('slug')}
          description={t('slugHelp')}
          placeholder={t('slugLong')}
          maxLength={64}
          autoCapitalize="none"
          spellCheck={false}
          flex={1}
          miw={180}
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('slugAgain')}
              title={t('slugAgain')}
              onClick={() => form.setFieldValue('slug', randomSlug())}
            >
              <RefreshCw size={16} aria-hidden />
            </ActionIcon>
          }
          {...form.getInputProps('slug')}
          error={form.errors.slug ?? fault}
          onChange={({ currentTarget: { value } }) =>
            form.setFieldValue('slug', value.toLowerCase().replace(/\s+/g, '-'))
          }
        />
      </Group>
      {suggestions.length > 0 && (
        <Group gap="xs" role="group" aria-label={t('free')}>
          <Text>{t('free')}</Text>
          {suggestions.map((slug) => (
            <Button key={slug} size="compact-sm" variant="default" onClick={() => form.setFieldValue('slug', slug)}>
              {slug}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
