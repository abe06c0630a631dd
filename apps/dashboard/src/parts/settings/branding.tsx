import type { App } from '@landfall/api-client';
import {
  Button,
  ColorInput,
  Fieldset,
  FileButton,
  Group,
  Image,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client } from '../../api/client.ts';
import { showFaults } from '../forms/form-faults.ts';
import { FailureAlert } from '../page/failure-alert.tsx';
import { Section } from '../page/section.tsx';
import { useMay } from '../roles.ts';
import { SaveFailure } from './save-failure.tsx';
import { orNull, useRenewApp, useSaveApp } from './use-save-app.ts';

/** The limits of the API. */
const LENGTHS = { sentence: 140, title: 70, description: 200, imageUrl: 2_048 };

const valuesOf = ({ branding, social }: App) => ({
  color: branding.color ?? '',
  sentence: branding.sentence ?? '',
  socialTitle: social.title ?? '',
  socialDescription: social.description ?? '',
  socialImage: social.imageUrl ?? '',
});
type Values = ReturnType<typeof valuesOf>;

/** The API names fields by their place. */
const NAMES = {
  'branding.color': 'color',
  'branding.sentence': 'sentence',
  'social.title': 'socialTitle',
  'social.description': 'socialDescription',
  'social.imageUrl': 'socialImage',
} as const;

const changeOf = (values: Values) => ({
  branding: { color: orNull(values.color), sentence: orNull(values.sentence) },
  social: {
    title: orNull(values.socialTitle),
    description: orNull(values.socialDescription),
    imageUrl: orNull(values.socialImage),
  },
});

/** How the app looks on its link pages, and in previews of its links. */
export function BrandingSettings({ app }: { app: App }) {
  const t = useTranslations('branding');
  const mayChange = useMay(app.id, 'admin');
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({ mode: 'controlled', initialValues: valuesOf(app) });
  const save = useSaveApp<Values>(app, {
    before: valuesOf(app),
    changeOf,
    said: t('saved'),
    onError(error) {
      setFailure(null);
      if (!showFaults(form, error, NAMES)) setFailure(error);
    },
  });
  return (
    <Section title={t('title')} maw={640}>
      <Text size="sm">{t('intro')}</Text>
      <Logo app={app} />
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Fieldset variant="unstyled" disabled={!mayChange} aria-label={t('title')}>
          <Stack gap="sm">
            <ColorInput
              label={t('color')}
              description={t('colorHelp')}
              placeholder="#1a7f5a"
              disabled={!mayChange}
              withEyeDropper={false}
              {...form.getInputProps('color')}
            />
            <TextInput label={t('sentence')} maxLength={LENGTHS.sentence} {...form.getInputProps('sentence')} />
            <TextInput
              label={t('socialTitle')}
              description={t('socialHelp')}
              maxLength={LENGTHS.title}
              {...form.getInputProps('socialTitle')}
            />
            <Textarea
              label={t('socialDescription')}
              autosize
              maxLength={LENGTHS.description}
              {...form.getInputProps('socialDescription')}
            />
            <TextInput
              type="url"
              label={t('socialImage')}
              description={t('socialImageHelp')}
              placeholder="https://"
              maxLength={LENGTHS.imageUrl}
              {...form.getInputProps('socialImage')}
            />
            {failure !== null && <SaveFailure app={app} error={failure} />}
            {mayChange && (
              <Group>
                <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                  {t('save')}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  );
}

const TYPES = 'image/png,image/jpeg,image/webp';

function Logo({ app }: { app: App }) {
  const t = useTranslations('branding');
  const mayChange = useMay(app.id, 'admin');
  const renew = useRenewApp(app);
  const path = { params: { path: { appId: app.id } } };
  const upload = useMutation({
    mutationFn: async (file: File) =>
      client.PUT('/api/manage/apps/{appId}/logo', { ...path, body: { image: await base64Of(file) } }),
    onSuccess: renew,
  });
  const remove = useMutation({
    mutationFn: () => client.DELETE('/api/manage/apps/{appId}/logo', path),
    onSuccess: renew,
  });
  const { logo } = app.branding;
  return (
    <Stack gap="xs">
      <Group>
        {logo === null ? (
          <Text size="sm">{t('noLogo')}</Text>
        ) : (
          <Image src={`/logos/${logo}.png`} alt={t('logo')} w={64} h={64} radius="md" />
        )}
        {mayChange && (
          <FileButton
            accept={TYPES}
            onChange={(file) => file && upload.mutate(file)}
            inputProps={{ 'aria-label': t('upload') }}
          >
            {(props) => (
              <Button variant="default" loading={upload.isPending} {...props}>
                {t('upload')}
              </Button>
            )}
          </FileButton>
        )}
        {mayChange && logo !== null && (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('removeLogo')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('logoHelp')}
      </Text>
      {upload.isError && <FailureAlert error={upload.error} />}
      {remove.isError && <FailureAlert error={remove.error} />}
    </Stack>
  );
}

/** Reads a file as base64, without the beginning of the data URL. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
