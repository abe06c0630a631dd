import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { client } from '../../../api/client.ts';
import { CopyBlock } from '../../copy.tsx';
import { FailureAlert } from '../../page/failure-alert.tsx';
import { type ImportRow, type ReadRows, readRows } from './import-rows.ts';

export interface ImportLinksProps {
  appId: string;
  opened: boolean;
  onClose: () => void;
}

/** The maximum number of rows that one request takes. */
const AT_ONCE = 500;
/** Faults that are shown. Somebody who has more corrects these first. */
const SHOWN = 50;

const EXAMPLE = `destination,metadata.inviter,expiresAt
/invite?code=1,ada,
/invite?code=2,ada,2027-01-31`;

interface Fault {
  /** The row in the file. The header is row 1. */
  row: number;
  message: string;
}

interface Checked {
  read: ReadRows;
  good: number;
  faults: Fault[];
  /** Links that the plan has left. Null: no limit. */
  left: number | null;
}

/** Imports links of a CSV file: first every row is checked, then the person decides. */
export function ImportLinks({ appId, opened, onClose }: ImportLinksProps) {
  const t = useTranslations('importLinks');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg">
      <ImportForm appId={appId} onClose={onClose} />
    </Modal>
  );
}

function ImportForm({ appId, onClose }: Omit<ImportLinksProps, 'opened'>) {
  const t = useTranslations('importLinks');
  const format = useFormatter();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [done, setDone] = useState(0);

  /** Sends all rows, part by part. Stops at the first part that fails as a whole. */
  async function send(rows: readonly ImportRow[], dryRun: boolean) {
    const faults: Fault[] = [];
    let left: number | null = null;
    setDone(0);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const { data } = await client.POST('/api/manage/apps/{appId}/links/import', {
        params: { path: { appId } },
        body: { links: rows.slice(from, from + AT_ONCE), dryRun },
      });
      data!.outcomes.forEach((outcome, place) => {
        if (outcome.success) return;
        const details = outcome.details?.map(({ path, message }) => `${path} ${message}`).join('; ');
        faults.push({ row: from + place + 2, message: details || outcome.error });
      });
      if (from === 0) left = data!.left;
      setDone(Math.min(rows.length, from + AT_ONCE));
    }
    return { good: rows.length - faults.length, faults, left };
  }

  const check = useMutation({
    async mutationFn(file: File): Promise<Checked> {
      const { default: papa } = await import('papaparse');
      const { data, meta } = papa.parse<Record<string, string>>(await file.text(), {
        header: true,
        skipEmptyLines: 'greedy',
        transformHeader: (name) => name.trim(),
      });
      const read = readRows(data, meta.fields ?? [], `${file.size}-${file.lastModified}`);
      if (read.withoutDestination || read.rows.length === 0) return { read, good: 0, faults: [], left: null };
      return { read, ...(await send(read.rows, true)) };
    },
  });
  const make = useMutation({
    mutationFn: (rows: ImportRow[]) => send(rows, false),
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] }),
  });

  const checked = check.data;
  const isTooMuch = checked !== undefined && checked.left !== null && checked.good > checked.left;
  if (make.data)
    return (
      <Stack>
        <Alert color="teal.9" title={t('imported', { count: make.data.good })} role="status" />
        <Faults faults={make.data.faults} />
        <Button onClick={onClose}>{t('close')}</Button>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{t('intro')}</Text>
      <CopyBlock value={EXAMPLE} label={t('copyExample')} />
      <FileInput
        label={t('file')}
        placeholder={t('choose')}
        accept=".csv,text/csv"
        value={file}
        onChange={(file) => {
          setFile(file);
          make.reset();
          if (file) check.mutate(file);
          else check.reset();
        }}
      />
      {(check.isPending || make.isPending) && (
        <Progress value={progressOf(done, checked?.read.rows.length)} animated aria-label={t('progress')} />
      )}
      {check.isError && <FailureAlert error={check.error} />}
      {checked?.read.withoutDestination && (
        <Alert color="red" role="alert">
          {t('withoutDestination')}
        </Alert>
      )}
      {checked && !checked.read.withoutDestination && (
        <>
          <Text fw={600} role="status">
            {t('checked', { good: checked.good, faulty: checked.faults.length })}
          </Text>
          {checked.read.unused.length > 0 && (
            <Text size="sm">{t('unused', { names: checked.read.unused.join(', ') })}</Text>
          )}
          {isTooMuch && (
            <Alert color="red" role="alert">
              {t('tooMuch', { left: format.number(checked.left ?? 0) })}
            </Alert>
          )}
          <Faults faults={checked.faults} />
        </>
      )}
      {make.isError && (
        <>
          <FailureAlert error={make.error} />
          <Text size="sm">{t('again')}</Text>
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          disabled={!checked || checked.good === 0 || isTooMuch || check.isPending}
          loading={make.isPending}
          onClick={() => checked && make.mutate(withoutFaults(checked))}
        >
          {t('submit', { count: checked?.good ?? 0 })}
        </Button>
      </Group>
    </Stack>
  );
}

/** Only good rows are sent, so that the plan's rest is compared with what is really made. */
function withoutFaults({ read: { rows }, faults }: Checked): ImportRow[] {
  const faulty = new Set(faults.map(({ row }) => row - 2));
  return rows.filter((_, place) => !faulty.has(place));
}

const progressOf = (done: number, all: number | undefined): number => (all ? (100 * done) / all : 5);

function Faults({ faults }: { faults: Fault[] }) {
  const t = useTranslations('importLinks');
  if (faults.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80}>{t('line')}</Table.Th>
            <Table.Th>{t('fault')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.slice(0, SHOWN).map(({ row, message }) => (
            <Table.Tr key={row}>
              <Table.Td>{row}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {faults.length > SHOWN && <Text size="sm">{t('more', { count: faults.length - SHOWN })}</Text>}
    </Table.ScrollContainer>
  );
}
