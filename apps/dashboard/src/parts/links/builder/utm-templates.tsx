import { UTM, type Utm } from '@landfall/api-client/utm';
import { Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api, client, useApp } from '../../../api/index.ts';
import { useCommand } from '../../page/use-command.ts';

interface UtmTemplatesProps {
  utm: Utm;
  /** Gets the values that the template sets. */
  onChoose: (utm: Partial<Utm>) => void;
}

/** The templates of the app: choose one, save the values as one, remove one. */
export function UtmTemplates({ utm, onChoose }: UtmTemplatesProps) {
  const t = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const params = { path: { appId } };
  const { data } = useQuery(api.queryOptions('get', '/api/manage/apps/{appId}/utm-templates', { params }));
  const templates = data?.templates ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const template = templates.find(({ id }) => id === chosen);
  const remove = useCommand(async (templateId: string) => {
    await client.DELETE('/api/manage/apps/{appId}/utm-templates/{templateId}', {
      params: { path: { appId, templateId } },
    });
    choose(null);
  });
  const onTemplate = (id: string | null) => {
    choose(id);
    const values = templates.find((one) => one.id === id)?.utm ?? {};
    onChoose(Object.fromEntries(Object.entries(values).map(([name, value]) => [`utm_${name}`, value])));
  };
  return (
    <Group align="flex-end" gap="xs">
      {templates.length > 0 && (
        <Select
          label={t('template')}
          placeholder={t('noTemplate')}
          data={templates.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={onTemplate}
          searchable
          clearable
          flex={1}
          miw={200}
        />
      )}
      <SaveTemplate utm={utm} onSaved={choose} />
      {template && (
        <Button
          variant="default"
          loading={remove.isPending}
          aria-label={t('removeTemplateNamed', { name: template.name })}
          onClick={() => remove.mutate(template.id)}
        >
          {t('removeTemplate')}
        </Button>
      )}
    </Group>
  );
}

function SaveTemplate({ utm, onSaved }: { utm: Utm; onSaved: (id: string) => void }) {
  const t = useTranslations('linkBuilder');
  const { id: appId } = useApp();
  const [opened, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const save = useCommand(async () => {
    const values = Object.fromEntries(UTM.map((one) => [one.slice('utm_'.length), utm[one]]));
    const { data } = await client.POST('/api/manage/apps/{appId}/utm-templates', {
      params: { path: { appId } },
      body: { name: name.trim(), utm: values },
    });
    close();
    setName('');
    onSaved(data!.template.id);
  });
  const submit = () => name.trim() !== '' && save.mutate();
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // The form around it is not sent.
    event.preventDefault();
    submit();
  }
  return (
    <Popover opened={opened} onChange={(to) => !to && close()} trapFocus returnFocus withArrow position="bottom-end">
      <Popover.Target>
        <Button variant="default" onClick={toggle} disabled={UTM.every((one) => utm[one] === '')}>
          {t('saveTemplate')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={240}>
          <TextInput
            data-autofocus
            label={t('templateName')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <Button onClick={submit} loading={save.isPending} disabled={name.trim() === ''}>
            {t('saveTemplateNow')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
