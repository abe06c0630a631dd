import { Accordion, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { fieldsOf } from '../../forms/form.tsx';
import { OWN_PAGES } from '../values/link-values.ts';
import { SOCIAL, textOf } from '../values/metadata.ts';
import type { LinkForm } from './address-fields.tsx';
import { MetadataFields } from './metadata-fields.tsx';
import { SocialFields } from './social-fields.tsx';

export function TagsField({ form }: { form: LinkForm }) {
  const t = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const { data } = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/tags', { params: { path: { appId } } }));
  return (
    <TagsInput
      {...fieldsOf(form, t)('tags')}
      data={data?.tags.map(({ tag }) => tag) ?? []}
      limit={8}
      maxTags={20}
      splitChars={[',']}
      acceptValueOnBlur
      onChange={(given) => {
        // Pasted text may hold several tags.
        const tags = given.flatMap((one) => one.split(',')).map((tag) => tag.trim().toLowerCase());
        form.setFieldValue(
          'tags',
          [...new Set(tags)].filter((tag) => tag !== ''),
        );
      }}
    />
  );
}

/** The fields of each part. Those of the preview are in the metadata. */
const PARTS = {
  social: [],
  metadata: ['metadata'],
  pages: OWN_PAGES,
  expiry: ['expiresAt', 'expiredUrl'],
  note: ['note'],
} as const;

/** The fields that few links have. A part that has something is open. */
export function MoreFields({ form }: { form: LinkForm }) {
  const t = useTranslations('linkBuilder');
  const { timeZone } = useApp();
  const field = fieldsOf(form, t);
  const values = form.getValues();
  const [opened, open] = useState(() =>
    Object.entries({
      social: SOCIAL.some((key) => textOf(values.metadata, key) !== ''),
      metadata: values.metadata.some(({ key }) => !SOCIAL.some((one) => one === key)),
      pages: OWN_PAGES.some((name) => values[name] !== ''),
      expiry: values.expiresAt !== '' || values.expiredUrl !== '',
      note: values.note !== '',
    }).flatMap(([name, isSet]) => (isSet ? [name] : [])),
  );
  // A fault must be seen.
  const faulty = Object.entries(PARTS).filter(([, fields]) => fields.some((field) => form.errors[field]));
  const shown = [...new Set([...opened, ...faulty.map(([name]) => name)])];
  const part = (name: keyof typeof PARTS, children: ReactNode) => (
    <Accordion.Item value={name}>
      <Accordion.Control>{t(`parts.${name}`)}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
  return (
    <Accordion multiple value={shown} onChange={open}>
      {part('social', <SocialFields form={form} />)}
      {part('metadata', <MetadataFields form={form} />)}
      {part(
        'pages',
        <Stack gap="sm">
          <Text>{t('pagesHelp')}</Text>
          {OWN_PAGES.map((name) => (
            <TextInput key={name} type="url" placeholder="https://" maxLength={2_048} {...field(name)} />
          ))}
        </Stack>,
      )}
      {part(
        'expiry',
        <Stack gap="sm">
          <TextInput type="datetime-local" {...field('expiresAt')} description={t('expiresAtIn', { timeZone })} />
          <TextInput type="url" placeholder="https://" maxLength={2_048} {...field('expiredUrl')} />
        </Stack>,
      )}
      {part('note', <Textarea autosize minRows={2} maxLength={1_000} {...field('note')} />)}
    </Accordion>
  );
}
