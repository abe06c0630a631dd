import { Accordion, Card, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SOCIAL } from './metadata-fields.ts';

/** What the link host shows to messengers at most. */
const LENGTHS = { og_title: 200, og_description: 500, og_image: 2_048 };

interface SocialFieldsProps {
  appName: string;
  fields: Readonly<Record<string, string>>;
  onChange: (key: string, value: string) => void;
}

/** The texts that messengers and feeds show beside the link, and how they look there. */
export function SocialFields({ appName, fields, onChange }: SocialFieldsProps) {
  const t = useTranslations('newLink');
  const field = (key: (typeof SOCIAL)[number]) => ({
    label: t(key),
    maxLength: LENGTHS[key],
    value: fields[key] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange(key, value),
  });
  const isSet = SOCIAL.some((key) => fields[key]);
  return (
    <Accordion defaultValue={isSet ? 'social' : null}>
      <Accordion.Item value="social">
        <Accordion.Control>{t('social')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <TextInput {...field('og_title')} />
            <Textarea autosize {...field('og_description')} />
            <TextInput type="url" description={t('og_imageHelp')} {...field('og_image')} />
            <SocialPreview appName={appName} metadata={fields} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** How messengers and feeds show a link. Images of other hosts are not loaded: the page asks no host but ours. */
export function SocialPreview({ appName, metadata }: { appName: string; metadata: Readonly<Record<string, unknown>> }) {
  const t = useTranslations('newLink');
  const [title = '', text = '', image = ''] = SOCIAL.map((key) => {
    const value = metadata[key];
    return typeof value === 'string' ? value.trim() : '';
  });
  return (
    <Card withBorder padding="sm" component="figure" m={0} maw={440} aria-label={t('socialPreview')}>
      <Text size="xs">{appName}</Text>
      <Text size="md" fw={600} lineClamp={2} title={title}>
        {title || appName}
      </Text>
      {text !== '' && (
        <Text lineClamp={3} title={text}>
          {text}
        </Text>
      )}
      {image !== '' && (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {t('withImage', { image })}
        </Text>
      )}
    </Card>
  );
}
