import { Button, ColorInput, FileButton, Group, Image, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../api/index.ts';
import { entered } from '../forms/changes.ts';
import { fieldsOf } from '../forms/form.tsx';
import { CommandButton, FailureAlert, Section } from '../page/page.tsx';
import { SettingsForm } from './save-app.tsx';

/** The limits of the API. */
const LENGTHS = { sentence: 140, title: 70, description: 200, imageUrl: 2_048 };

/** How the app looks on its link pages, and in previews of its links. */
export function BrandingSettings() {
  const t = useTranslations('branding');
  const { branding, social } = useApp();
  const mayChange = useMay('admin');
  const form = useForm({ initialValues: entered({ branding, social }) });
  const field = fieldsOf(form, t);
  return (
    <Section title={t('title')} maw={640}>
      <Text>{t('intro')}</Text>
      <Logo />
      <SettingsForm form={form} t={t}>
        <ColorInput placeholder="#1a7f5a" disabled={!mayChange} withEyeDropper={false} {...field('branding.color')} />
        <TextInput maxLength={LENGTHS.sentence} {...field('branding.sentence')} />
        <TextInput maxLength={LENGTHS.title} {...field('social.title')} />
        <Textarea autosize maxLength={LENGTHS.description} {...field('social.description')} />
        <TextInput type="url" placeholder="https://" maxLength={LENGTHS.imageUrl} {...field('social.imageUrl')} />
      </SettingsForm>
    </Section>
  );
}

function Logo() {
  const t = useTranslations('branding');
  const { id: appId, branding } = useApp();
  const mayChange = useMay('admin');
  const path = { params: { path: { appId } } };
  const upload = useMutation({
    mutationFn: async (file: File) =>
      client.PUT('/api/manage/apps/{appId}/logo', { ...path, body: { image: await base64Of(file) } }),
  });
  const remove = () => client.DELETE('/api/manage/apps/{appId}/logo', path);
  const { logo } = branding;
  return (
    <Stack gap="xs">
      <Group>
        {logo === null ? (
          <Text>{t('noLogo')}</Text>
        ) : (
          <Image src={`/logos/${logo}.png`} alt={t('logo')} w={64} h={64} radius="md" />
        )}
        {mayChange && (
          <FileButton
            accept="image/png,image/jpeg,image/webp"
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
          <CommandButton variant="default" command={remove}>
            {t('removeLogo')}
          </CommandButton>
        )}
      </Group>
      <Text c="dimmed">{t('logoHelp')}</Text>
      {upload.isError && <FailureAlert error={upload.error} />}
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
