import {
  Accordion,
  Button,
  Fieldset,
  Group,
  JsonInput,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { fieldsOf } from '../forms/form.tsx';
import { AUDIENCES, LEVELS, type PushValues } from './push-fields.ts';

type Form = UseFormReturnType<PushValues>;

/** What phones show, and what the app gets. */
export function ContentFields({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { silent } = form.getValues();
  const field = fieldsOf(form, t);
  return (
    <Fieldset legend={t('content')}>
      <Stack gap="sm">
        {!silent && (
          <>
            <TextInput required label={t('titleField')} {...form.getInputProps('title')} />
            <Textarea required autosize minRows={2} {...field('body')} />
          </>
        )}
        <TextInput {...field('destinationPath')} />
        {!silent && <TextInput type="url" {...field('imageUrl')} />}
        <Accordion variant="contained">
          {!silent && (
            <Accordion.Item value="languages">
              <Accordion.Control>{t('languages')}</Accordion.Control>
              <Accordion.Panel>
                <Languages form={form} />
              </Accordion.Panel>
            </Accordion.Item>
          )}
          <Accordion.Item value="more">
            <Accordion.Control>{t('more')}</Accordion.Control>
            <Accordion.Panel>
              <MoreFields form={form} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      </Stack>
    </Fieldset>
  );
}

function MoreFields({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { silent } = form.getValues();
  const field = fieldsOf(form, t);
  return (
    <Stack gap="sm">
      <Switch {...field('silent', { type: 'checkbox' })} />
      {!silent && (
        <>
          <Switch {...field('sound', { type: 'checkbox' })} />
          <Switch {...field('urgent', { type: 'checkbox' })} />
          <NumberInput min={0} max={99_999} {...field('badge')} />
          <Select clearable allowDeselect data={[...LEVELS]} {...field('interruptionLevel')} />
          <TextInput {...field('channelId')} />
        </>
      )}
      <TextInput {...field('collapseKey')} />
      <NumberInput min={1} max={672} allowDecimal={false} {...field('ttlHours')} />
      <JsonInput autosize minRows={2} {...field('metadata')} />
    </Stack>
  );
}

function Languages({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { localized } = form.getValues();
  return (
    <Stack gap="sm">
      <Text>{t('languagesHelp')}</Text>
      {localized.map((_, index) => (
        <Stack key={index} gap="xs">
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t('language')}
              placeholder="de"
              w={110}
              {...form.getInputProps(`localized.${index}.language`)}
            />
            <TextInput label={t('titleField')} flex={1} {...form.getInputProps(`localized.${index}.title`)} />
          </Group>
          <Textarea label={t('body')} autosize {...form.getInputProps(`localized.${index}.body`)} />
          <Button size="compact-sm" variant="default" onClick={() => form.removeListItem('localized', index)}>
            {t('removeLanguage', { language: localized[index]?.language || `${index + 1}` })}
          </Button>
        </Stack>
      ))}
      <Button
        variant="default"
        size="xs"
        onClick={() => form.insertListItem('localized', { language: '', title: '', body: '' })}
      >
        {t('addLanguage')}
      </Button>
    </Stack>
  );
}

/** The audience. `kept`: the people or devices of before, which the form cannot name. */
export function AudienceFields({ form, kept }: { form: Form; kept?: string | undefined }) {
  const t = useTranslations('push');
  const { audience } = form.getValues();
  const field = fieldsOf(form, t);
  return (
    <>
      <Select
        aria-label={t('audience')}
        data={[
          ...(kept === undefined ? [] : [{ value: 'kept', label: kept }]),
          ...AUDIENCES.map((value) => ({ value, label: t(`audiences.${value}`) })),
        ]}
        {...form.getInputProps('audience')}
      />
      {audience === 'people' && <Named {...field('people')} />}
      {audience === 'tokens' && <Named {...field('tokens')} />}
      {audience !== 'kept' && <NumberInput min={1} max={3_650} allowDecimal={false} {...field('seenWithinDays')} />}
    </>
  );
}

/** A list that a person types, or pastes out of a table or a mail. Phones tell no key, so that each change is split. */
function Named({ onChange, ...rest }: ReturnType<ReturnType<typeof fieldsOf<PushValues, 'people' | 'tokens'>>>) {
  const split = (given: string[]) =>
    onChange([...new Set(given.flatMap((one) => one.split(SEPARATORS)))].filter(Boolean));
  return <TagsInput splitChars={[',', ';', ' ']} maxTags={1_000} acceptValueOnBlur onChange={split} {...rest} />;
}

const SEPARATORS = /[\s,;]+/;
