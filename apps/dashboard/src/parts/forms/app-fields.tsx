import { Group, Radio, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

interface AppValues {
  name: string;
  subdomain: string;
  existingUsers: string;
}

interface AppForm {
  values: AppValues;
  // biome-ignore lint/suspicious/noExplicitAny: forms with more fields have more names
  setFieldValue(field: any, value: any): void;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  getInputProps(field: any): any;
}

/** The fields of a new app, inside a form that has them as values. */
export function AppFields({ form, linkDomain }: { form: AppForm; linkDomain: string | undefined }): ReactNode {
  const t = useTranslations('appFields');
  const { name, subdomain } = form.values;
  const host = `${subdomain || 'app'}.${linkDomain ?? '…'}`;
  const field = (name: keyof AppValues) => ({ label: t(name), ...form.getInputProps(name) });
  return (
    <>
      <TextInput
        required
        {...field('name')}
        onChange={(event) => {
          const changed = event.currentTarget.value;
          // The subdomain follows the name until the person changes it.
          if (subdomain === subdomainOf(name)) form.setFieldValue('subdomain', subdomainOf(changed));
          form.setFieldValue('name', changed);
        }}
      />
      <TextInput required {...field('subdomain')} description={t('subdomainHelp', { host })} />
      <Radio.Group description={t('existingUsersHelp')} {...field('existingUsers')}>
        <Group mt={6}>
          <Radio value="yes" label={t('yes')} />
          <Radio value="no" label={t('no')} />
        </Group>
      </Radio.Group>
    </>
  );
}

export const OF_SUBDOMAIN = { SUBDOMAIN_TAKEN: 'subdomain', SUBDOMAIN_RESERVED: 'subdomain' } as const;

/** Returns the body of the request that creates the app, without its team. Days are counted in the person's time zone. */
export const newAppOf = ({ name, subdomain, existingUsers }: AppValues) => ({
  name,
  subdomain,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  matching: { existingUsers: existingUsers === 'yes' },
});

/** Proposes a subdomain for a name: letters without accents, digits and hyphens, at most 40 characters. */
const subdomainOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
