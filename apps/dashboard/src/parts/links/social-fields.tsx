import { Accordion, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SOCIAL } from './metadata-fields.ts';
import { SocialPreview } from './social-preview.tsx';

/** What the link host shows to messengers at most. */
const LENGTHS = { og_title: 200, og_description: 500, og_image: 2_048 };

export interface SocialFieldsProps {
  appName: string;
  fields: Readonly<Record<string, string>>;
  onChange: (key: string, value: string) => void;
}

/** The texts that messengers and feeds show beside the link, and how they look there. */
export function SocialFields({ appName, fields, onChange }: SocialFieldsProps) {
  const t = useTranslations('newLink');
  const isSet = SOCIAL.some((key) => fields[key]);
  return (
    <Accordion defaultValue={isSet ? 'social' : null}>
      <Accordion.Item value="social">
        <Accordion.Control>{t('social')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <TextInput
              label={t('og_title')}
              maxLength={LENGTHS.og_title}
              value={fields.og_title ?? ''}
              onChange={({ currentTarget: { value } }) => onChange('og_title', value)}
            />
            <Textarea
              label={t('og_description')}
              autosize
              maxLength={LENGTHS.og_description}
              value={fields.og_description ?? ''}
              onChange={({ currentTarget: { value } }) => onChange('og_description', value)}
            />
            <TextInput
              type="url"
              label={t('og_image')}
              description={t('og_imageHelp')}
              maxLength={LENGTHS.og_image}
              value={fields.og_image ?? ''}
              onChange={({ currentTarget: { value } }) => onChange('og_image', value)}
            />
            <SocialPreview appName={appName} metadata={fields} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
