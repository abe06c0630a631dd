// The windows of saved views: save one, rename and delete.
import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../api/index.ts';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { RowConfirm, rowButton, WindowButton } from '../page/buttons.tsx';
import { DataTable } from '../page/data-table.tsx';
import type { PageOfViews, SavedView } from './saved-view.ts';

export function SaveView({ page, query, onClose }: { page: PageOfViews; query: string; onClose: () => void }) {
  const t = useTranslations('views');
  const { id: appId } = useApp();
  const mayShare = useMay('member');
  const form = useCommandForm(t, {
    initialValues: { name: '', shared: false },
    send: ({ name, shared }) =>
      client.POST('/api/manage/apps/{appId}/views', {
        params: { path: { appId } },
        body: { name, page, query, shared },
      }),
    onSuccess: onClose,
  });
  return (
    <CommandForm form={form} submit={t('submit')} onCancel={onClose}>
      <TextInput required maxLength={100} data-autofocus {...form.field('name')} />
      {mayShare && <Checkbox {...form.field('shared', { type: 'checkbox' })} />}
    </CommandForm>
  );
}

export function EditViews({ views }: { views: readonly SavedView[] }) {
  const t = useTranslations('views');
  const mayShare = useMay('member');
  return (
    <DataTable
      t={t}
      rows={views}
      empty={t('empty')}
      columns={{
        name: { cell: ({ name }) => <bdi>{name}</bdi>, style: { overflowWrap: 'anywhere' } },
        by: ({ owner }) => <Text>{t(owner === null ? 'forAll' : 'forMe')}</Text>,
        actions: (view) => (view.owner !== null || mayShare) && <Actions of={view} />,
      }}
    />
  );
}

function Actions({ of: { id: viewId, appId, name } }: { of: SavedView }) {
  const t = useTranslations('views');
  const params = { path: { appId, viewId } };
  return (
    <Group gap="xs">
      <WindowButton {...rowButton} title={t('rename')} aria-label={t('renameNamed', { name })}>
        {(close) => <Rename params={params} name={name} onClose={close} />}
      </WindowButton>
      <RowConfirm
        act="remove"
        t={t}
        of={{ name }}
        onConfirm={() => client.DELETE('/api/manage/apps/{appId}/views/{viewId}', { params })}
      />
    </Group>
  );
}

interface RenameProps {
  params: { path: { appId: string; viewId: string } };
  name: string;
  onClose: () => void;
}

function Rename({ params, name, onClose }: RenameProps) {
  const t = useTranslations('views');
  const form = useCommandForm(t, {
    initialValues: { name },
    send: ({ name }) => client.PATCH('/api/manage/apps/{appId}/views/{viewId}', { params, body: { name } }),
    onSuccess: onClose,
  });
  return (
    <CommandForm form={form} submit={t('submit')} onCancel={onClose}>
      <TextInput required maxLength={100} data-autofocus {...form.field('name')} />
    </CommandForm>
  );
}
