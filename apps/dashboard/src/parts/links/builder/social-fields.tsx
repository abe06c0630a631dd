import { Card, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { type Pair, SOCIAL, textOf, withText } from '../values/metadata.ts';
import type { LinkForm } from './address-fields.tsx';

/** What the link host shows to messengers at most. */
const LENGTHS = { og_title: 200, og_description: 500, og_image: 2_048 };

/** The texts that messengers and feeds show beside the link. */
export function SocialFields({ form }: { form: LinkForm }) {
  const t = useTranslations('linkBuilder');
  const { metadata } = form.getValues();
  const field = (key: (typeof SOCIAL)[number]) => ({
    label: t(key),
    maxLength: LENGTHS[key],
    value: textOf(metadata, key),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      form.setFieldValue('metadata', withText(metadata, key, value)),
  });
  return (
    <Stack gap="sm">
      <Text>{t('socialHelp')}</Text>
      <TextInput {...field('og_title')} />
      <Textarea autosize {...field('og_description')} />
      <TextInput type="url" description={t('og_imageHelp')} {...field('og_image')} />
    </Stack>
  );
}

/** Keys of the metadata that the link host reads for a preview. */
const READ = [...SOCIAL, 'title', 'description', 'image'] as const;

/**
 * What messengers and feeds get for the link: the tags that the code of the link host makes of it. Images of other hosts
 * are not loaded: the page asks no host but ours.
 * @param isAlone without the texts in the settings of the app
 */
export function SocialPreview({ metadata, isAlone = false }: { metadata: readonly Pair[]; isAlone?: boolean }) {
  const t = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const texts = READ.map((key) => [key, textOf(metadata, key).slice(0, 2_048)] as const);
  const query = Object.fromEntries(texts.filter(([, text]) => text.trim() !== ''));
  const [asked] = useDebouncedValue(JSON.stringify({ ...query, ...(isAlone && { settings: 'false' }) }), 300);
  const { data } = useQuery({
    ...api.queryOptions('get', '/api/manage/apps/{appId}/links/preview', {
      params: { path: { appId }, query: JSON.parse(asked) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card withBorder padding="sm" component="figure" m={0} mih={76} aria-label={t('preview')}>
      {data && (
        <>
          <Text size="xs">{data.siteName}</Text>
          <Text size="md" fw={600} lineClamp={2} title={data.title} dir="auto">
            {data.title}
          </Text>
          {data.description !== null && (
            <Text lineClamp={3} title={data.description} dir="auto">
              {data.description}
            </Text>
          )}
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {data.imageUrl === null ? t('noImage') : t('withImage', { image: data.imageUrl })}
          </Text>
        </>
      )}
    </Card>
  );
}
