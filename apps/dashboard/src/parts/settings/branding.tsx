import { Button, ColorInput, FileButton, Group, Image, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../api/index.ts';
import { fieldsOf } from '../forms/form.tsx';
import { SocialPreview } from '../links/builder/social-fields.tsx';
import { pairsOf } from '../links/values/metadata.ts';
import { CommandButton, FailureAlert, Section } from '../page/page.tsx';
import classes from './settings.module.css';

/** The limits of the API. */
const LENGTHS = { sentence: 140, title: 70, description: 200, imageUrl: 2_048 };

/** The fields that the branding needs of a form. */
interface Look {
  name: string;
  branding: { color: string; sentence: string };
  social: { title: string; description: string; imageUrl: string };
}

/** How the app looks on its link pages, and in previews of its links, with both of them beside the fields. */
export function BrandingFields<Values extends Look & Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) {
  const t = useTranslations('branding');
  const field = fieldsOf(form as unknown as UseFormReturnType<Look & Record<string, unknown>>, t);
  return (
    <Section title={t('title')}>
      <Text>{t('intro')}</Text>
      <div className={classes.beside}>
        <Stack gap="sm">
          <Logo />
          <ColorInput placeholder="#1a7f5a" withEyeDropper={false} {...field('branding.color')} />
          <TextInput maxLength={LENGTHS.sentence} {...field('branding.sentence')} />
          <TextInput maxLength={LENGTHS.title} {...field('social.title')} />
          <Textarea autosize maxLength={LENGTHS.description} {...field('social.description')} />
          <TextInput type="url" placeholder="https://" maxLength={LENGTHS.imageUrl} {...field('social.imageUrl')} />
        </Stack>
        <Previews look={form.values} />
      </div>
    </Section>
  );
}

/** The page of a link and its preview in messages, as the code of the link host makes them of what is entered. */
function Previews({ look: { name, branding, social } }: { look: Look }) {
  const t = useTranslations('branding');
  const { id: appId } = useApp();
  const entered = {
    ...(name.trim() && { name: name.trim() }),
    ...(/^#[\da-f]{6}$/i.test(branding.color) && { color: branding.color }),
    ...(branding.sentence.trim() && { sentence: branding.sentence }),
  };
  const [query] = useDebouncedValue(`${new URLSearchParams(entered)}`, 400);
  const texts = {
    og_title: social.title,
    og_description: social.description || branding.sentence,
    og_image: social.imageUrl,
  };
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('page')}</Text>
      {/* No script runs in it, and it belongs to no origin. */}
      <iframe
        key={query}
        src={`/api/manage/apps/${appId}/page-preview?${query}`}
        sandbox=""
        title={t('page')}
        className={classes.frame}
      />
      <Text fw={600}>{t('inMessages')}</Text>
      <SocialPreview metadata={pairsOf(texts)} isAlone />
    </Stack>
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
