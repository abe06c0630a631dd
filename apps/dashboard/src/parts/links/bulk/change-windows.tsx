// The forms of a change of many links.

import { NO_UTM, tidy, UTM, UTM_LENGTH, type UtmName } from '@landfall/api-client/utm';
import { Autocomplete, Button, Checkbox, Group, Modal, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, useApp } from '../../../api/index.ts';
import { instantIn } from '../../time-zone.ts';
import { useKnownValues } from '../builder/utm-fields.tsx';
import { UtmTemplates } from '../builder/utm-templates.tsx';
import type { Total } from '../list/view.ts';
import type { Asking, Change } from './selection.ts';

interface ChangeWindowProps {
  asking: Asking;
  total: Total;
  hasLogo: boolean;
  onClose: () => void;
  onChange: (change: Change) => void;
  onQrCodes: (withLogo: boolean) => void;
}

export function ChangeWindow({ asking, total, onClose, ...rest }: ChangeWindowProps) {
  const t = useTranslations('linkChange');
  const Form = { tags: TagsForm, campaign: CampaignForm, expiry: ExpiryForm, qr: QrForm }[asking];
  const count = t(total.exact ? 'count' : 'countOver', { count: total.count });
  return (
    <Modal opened onClose={onClose} title={t(`titles.${asking}`, { links: count })}>
      <Form total={total} onClose={onClose} {...rest} />
    </Modal>
  );
}

type FormProps = Omit<ChangeWindowProps, 'asking'>;

interface FrameProps {
  onClose: () => void;
  onSubmit: () => void;
  submit: string;
  /** True: the form asks for nothing yet. */
  disabled: boolean;
  children: ReactNode;
}

function Frame({ onClose, onSubmit, submit, disabled, children }: FrameProps) {
  const t = useTranslations('window');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) onSubmit();
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={disabled}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const plainTags = (given: readonly string[]): string[] =>
  [...new Set(given.flatMap((one) => one.split(',')).map((tag) => tag.trim().toLowerCase()))].filter(Boolean);

function TagsForm({ onClose, onChange }: FormProps) {
  const t = useTranslations('linkChange');
  const { id: appId } = useApp();
  const { data } = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/tags', { params: { path: { appId } } }));
  const [tags, setTags] = useState<Record<'addTags' | 'removeTags', string[]>>({ addTags: [], removeTags: [] });
  // A tag that was typed counts before it is confirmed with Enter.
  const [typed, setTyped] = useState({ addTags: '', removeTags: '' });
  // Closed after a choice: it would cover what stands below, and take the next click.
  const [opened, setOpened] = useState<'addTags' | 'removeTags' | null>(null);
  const chosen = (['addTags', 'removeTags'] as const)
    .map((name) => [name, plainTags([...tags[name], typed[name]])] as const)
    .filter(([, names]) => names.length > 0);
  return (
    <Frame
      onClose={onClose}
      submit={t('apply')}
      disabled={chosen.length === 0}
      onSubmit={() => onChange(Object.fromEntries(chosen))}
    >
      {(['addTags', 'removeTags'] as const).map((name) => (
        <TagsInput
          key={name}
          label={t(name)}
          data-autofocus={name === 'addTags' || undefined}
          data={data?.tags.map(({ tag }) => tag) ?? []}
          limit={8}
          maxTags={20}
          splitChars={[',']}
          acceptValueOnBlur
          value={tags[name]}
          onChange={(given) => {
            setTags({ ...tags, [name]: plainTags(given) });
            setOpened(null);
          }}
          searchValue={typed[name]}
          onSearchChange={(text) => {
            setTyped({ ...typed, [name]: text });
            if (text !== '') setOpened(name);
          }}
          dropdownOpened={opened === name}
          onDropdownOpen={() => setOpened(name)}
          onDropdownClose={() => setOpened(null)}
        />
      ))}
    </Frame>
  );
}

type Values = Record<UtmName, string>;

function CampaignForm({ onClose, onChange }: FormProps) {
  const t = useTranslations('linkChange');
  const words = useTranslations('linkBuilder');
  const known = useKnownValues();
  const [values, setValues] = useState<Values>(NO_UTM);
  const [removed, setRemoved] = useState<ReadonlySet<UtmName>>(new Set());
  const utm = Object.fromEntries(
    UTM.flatMap((name) => {
      const value = removed.has(name) ? null : tidy(values[name]);
      return value === '' ? [] : [[name.slice('utm_'.length), value]];
    }),
  );
  const toggle = (name: UtmName) => {
    const next = new Set(removed);
    if (!next.delete(name)) next.add(name);
    setRemoved(next);
  };
  return (
    <Frame
      onClose={onClose}
      submit={t('apply')}
      disabled={Object.keys(utm).length === 0}
      onSubmit={() => onChange({ utm })}
    >
      <Text>{t('campaignHelp')}</Text>
      <UtmTemplates utm={values} onChoose={(chosen) => setValues({ ...values, ...chosen })} />
      {UTM.map((name) => (
        <Group key={name} align="flex-end" gap="sm">
          <Autocomplete
            flex={1}
            label={words(name)}
            placeholder={t(removed.has(name) ? 'removed' : 'unchanged')}
            disabled={removed.has(name)}
            data={[...known[name]]}
            limit={8}
            maxLength={UTM_LENGTH}
            autoCapitalize="none"
            value={removed.has(name) ? '' : values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
          <Checkbox
            mb={8}
            label={t('remove')}
            aria-label={t('removeNamed', { name: words(name) })}
            checked={removed.has(name)}
            onChange={() => toggle(name)}
          />
        </Group>
      ))}
    </Frame>
  );
}

function ExpiryForm({ onClose, onChange }: FormProps) {
  const t = useTranslations('linkChange');
  const words = useTranslations('linkBuilder');
  const { timeZone } = useApp();
  const [wall, setWall] = useState('');
  const [isNever, setNever] = useState(false);
  const expiresAt = isNever ? null : instantIn(wall, timeZone);
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <Frame
      onClose={onClose}
      submit={t('apply')}
      disabled={!isNever && (expiresAt === null || isPast)}
      onSubmit={() => onChange({ expiresAt })}
    >
      <TextInput
        type="datetime-local"
        data-autofocus
        label={words('expiresAt')}
        description={t('zone', { timeZone })}
        error={isPast && t('past')}
        disabled={isNever}
        value={isNever ? '' : wall}
        onChange={({ currentTarget: { value } }) => setWall(value)}
      />
      <Checkbox label={t('never')} checked={isNever} onChange={({ currentTarget: { checked } }) => setNever(checked)} />
    </Frame>
  );
}

/** The most codes of one file. */
const MOST_CODES = 500;

function QrForm({ total, hasLogo, onClose, onQrCodes }: FormProps) {
  const t = useTranslations('linkChange');
  const words = useTranslations('qr');
  const [withLogo, setLogo] = useState(true);
  const isTooMany = !total.exact || total.count > MOST_CODES;
  return (
    <Frame onClose={onClose} submit={t('download')} disabled={isTooMany} onSubmit={() => onQrCodes(withLogo)}>
      <Text>{isTooMany ? t('tooManyCodes', { most: MOST_CODES }) : t('qrHelp')}</Text>
      {hasLogo && (
        <Switch
          label={words('logo')}
          checked={withLogo}
          onChange={({ currentTarget: { checked } }) => setLogo(checked)}
        />
      )}
    </Frame>
  );
}
