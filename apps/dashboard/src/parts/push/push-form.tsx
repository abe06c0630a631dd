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
import { AUDIENCES, LEVELS, type PushValues } from './push-fields.ts';

type Form = UseFormReturnType<PushValues>;

/** What phones show, and what the app gets. */
export function ContentFields({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { silent } = form.getValues();
  return (
    <Fieldset legend={t('content')}>
      <Stack gap="sm">
        {!silent && (
          <>
            <TextInput label={t('titleField')} {...form.getInputProps('title')} />
            <Textarea label={t('body')} autosize minRows={2} {...form.getInputProps('body')} />
          </>
        )}
        <TextInput
          label={t('destination')}
          description={t('destinationHelp')}
          {...form.getInputProps('destinationPath')}
        />
        {!silent && (
          <TextInput label={t('image')} description={t('imageHelp')} type="url" {...form.getInputProps('imageUrl')} />
        )}
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
  return (
    <Stack gap="sm">
      <Switch
        label={t('silent')}
        description={t('silentHelp')}
        {...form.getInputProps('silent', { type: 'checkbox' })}
      />
      {!silent && (
        <>
          <Switch label={t('sound')} {...form.getInputProps('sound', { type: 'checkbox' })} />
          <Switch
            label={t('urgent')}
            description={t('urgentHelp')}
            {...form.getInputProps('urgent', { type: 'checkbox' })}
          />
          <NumberInput
            label={t('badge')}
            description={t('badgeHelp')}
            min={0}
            max={99_999}
            {...form.getInputProps('badge')}
          />
          <Select
            label={t('level')}
            description={t('levelHelp')}
            clearable
            data={[...LEVELS]}
            {...form.getInputProps('interruptionLevel')}
          />
          <TextInput label={t('channel')} description={t('channelHelp')} {...form.getInputProps('channelId')} />
        </>
      )}
      <TextInput label={t('collapseKey')} description={t('collapseHelp')} {...form.getInputProps('collapseKey')} />
      <NumberInput
        label={t('ttl')}
        description={t('ttlHelp')}
        min={1}
        max={672}
        allowDecimal={false}
        {...form.getInputProps('ttlHours')}
      />
      <JsonInput
        label={t('metadata')}
        description={t('metadataHelp')}
        autosize
        minRows={2}
        {...form.getInputProps('metadata')}
      />
    </Stack>
  );
}

function Languages({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { localized } = form.getValues();
  return (
    <Stack gap="sm">
      <Text size="sm">{t('languagesHelp')}</Text>
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

/** Who gets it. */
export function AudienceFields({ form }: { form: Form }) {
  const t = useTranslations('push');
  const { audience } = form.getValues();
  return (
    <>
      <Select
        label={t('audience')}
        allowDeselect={false}
        data={AUDIENCES.map((value) => ({ value, label: t(`audiences.${value}`) }))}
        {...form.getInputProps('audience')}
      />
      {audience === 'people' && (
        <TagsInput
          label={t('people')}
          description={t('peopleHelp')}
          splitChars={[',', ' ', ';']}
          maxTags={1_000}
          acceptValueOnBlur
          {...form.getInputProps('people')}
        />
      )}
      {audience === 'tokens' && (
        <TagsInput
          label={t('tokens')}
          description={t('tokensHelp')}
          splitChars={[',', ' ']}
          maxTags={1_000}
          acceptValueOnBlur
          {...form.getInputProps('tokens')}
        />
      )}
      <NumberInput
        label={t('seen')}
        description={t('seenHelp')}
        min={1}
        max={3_650}
        allowDecimal={false}
        {...form.getInputProps('seenWithinDays')}
      />
    </>
  );
}
