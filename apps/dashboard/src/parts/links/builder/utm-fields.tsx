import { nearValue, tidy, UTM, UTM_LENGTH, type UtmName } from '@landfall/api-client/utm';
import { Autocomplete, Button, Fieldset, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { destinationOf } from '../values/link-values.ts';
import type { LinkForm } from './address-fields.tsx';
import { UtmTemplates } from './utm-templates.tsx';

/** The campaign of a link, which the query of its destination carries. */
export function UtmFields({ form }: { form: LinkForm }) {
  const t = useTranslations('linkBuilder');
  const values = form.getValues();
  const known = useKnownValues();
  return (
    <Fieldset legend={t('utm')}>
      <Stack gap="sm">
        <UtmTemplates utm={values.utm} onChoose={(utm) => form.setFieldValue('utm', { ...values.utm, ...utm })} />
        <SimpleGrid cols={2} spacing="sm">
          {UTM.map((name) => (
            <UtmField key={name} name={name} form={form} known={known[name]} />
          ))}
        </SimpleGrid>
        <Switch
          label={t('keepsText')}
          description={t('keepsTextHelp')}
          {...form.getInputProps('keepsText', { type: 'checkbox' })}
        />
        {/* It has its place from the beginning: nothing moves when it comes. */}
        <Text size="xs" mih={18} style={{ overflowWrap: 'anywhere' }}>
          {values.destination.trim() === '' ? t('wholeLater') : t('whole', { destination: destinationOf(values) })}
        </Text>
      </Stack>
    </Fieldset>
  );
}

function UtmField({ name, form, known }: { name: UtmName; form: LinkForm; known: readonly string[] }) {
  const t = useTranslations('linkBuilder');
  const { utm, keepsText } = form.getValues();
  // While a person types, a space at the end is the beginning of a word.
  const [typed, setTyped] = useState<string | null>(null);
  const near = typed === null ? nearValue(utm[name], known) : null;
  return (
    <div>
      <Autocomplete
        label={t(name)}
        description={t(`${name}Help`)}
        // A phone has no room for it: the names say enough, and who listens hears it.
        classNames={{ description: 'mantine-visible-from-sm' }}
        data={[...known]}
        // Above the field it would hide the one before.
        comboboxProps={{ position: 'bottom', middlewares: { flip: false } }}
        limit={8}
        maxLength={UTM_LENGTH}
        autoCapitalize="none"
        value={typed ?? utm[name]}
        onChange={(text) => {
          setTyped(text);
          form.setFieldValue(`utm.${name}`, keepsText ? text.trim() : tidy(text));
        }}
        onBlur={() => setTyped(null)}
      />
      {near !== null && (
        <Group gap="xs" mt={4} role="status">
          <Text size="xs">{t('near', { value: utm[name], near })}</Text>
          <Button size="compact-xs" variant="default" onClick={() => form.setFieldValue(`utm.${name}`, near)}>
            {t('useNear', { near })}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The values that people of the app used before: those of templates, then those of taps and links. */
export function useKnownValues(): Record<UtmName, string[]> {
  const { id: appId } = useApp();
  const params = { path: { appId } };
  const used = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/utm-values', { params }));
  const { data } = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/utm-templates', { params }));
  const known = UTM.map((name) => {
    const short = name.slice('utm_'.length) as keyof NonNullable<typeof used.data>['values'];
    const ofTemplates = data?.templates.flatMap(({ utm }) => utm[short] ?? []) ?? [];
    const others = used.data?.values[short].map(({ value }) => value) ?? [];
    return [name, [...new Set([...ofTemplates, ...others])]];
  });
  return Object.fromEntries(known);
}
