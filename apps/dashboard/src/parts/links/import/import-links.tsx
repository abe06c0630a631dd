import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { client, useApp } from '../../../api/index.ts';
import { CopyBlock } from '../../copy.tsx';
import { DataTable } from '../../page/data-table.tsx';
import { FailureAlert } from '../../page/page.tsx';
import { textOf } from './csv.ts';
import { type FileFault, type ReadFile, type Refused, readFile } from './import-rows.ts';

/** The maximum number of rows that one request takes. */
const AT_ONCE = 500;
/** The maximum number of bytes of these rows. The API takes 1 MB. */
const BYTES_AT_ONCE = 800_000;
/** Faults that are shown. Somebody who has more corrects these first. */
const SHOWN = 500;

const EXAMPLE = `destination,metadata.inviter,expiresAt
/invite?code=1,ada,
/invite?code=2,ada,2027-01-31`;

interface Fault {
  /** The row in the file. The header is row 1. */
  row: number;
  message: string;
}

interface Checked {
  read: ReadFile;
  /** Tells this content from others, so that a repeated import makes no link twice. */
  file: string;
  /** The places of good rows in `read.rows`. */
  good: number[];
  faults: Fault[];
  warnings: Fault[];
  /** Links that the plan has left. Null: no limit. */
  left: number | null;
}

/** Imports links of a CSV file: first every row is checked, then the person decides. */
export function ImportLinks({ onClose }: { onClose: () => void }) {
  const t = useTranslations('importLinks');
  return (
    <Modal opened onClose={onClose} title={t('title')} size="lg">
      <ImportForm onClose={onClose} />
    </Modal>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('importLinks');
  const format = useFormatter();
  const queries = useQueryClient();
  const { id: appId, timeZone } = useApp();
  const [file, setFile] = useState<File | null>(null);
  const [done, setDone] = useState(0);

  /** Sends rows, part by part. Stops at the first part that fails as a whole. */
  async function send({ read, file }: Pick<Checked, 'read' | 'file'>, places: readonly number[], dryRun: boolean) {
    const good: number[] = [];
    const faults: Fault[] = [];
    const warnings: Fault[] = [];
    let left: number | null = null;
    setDone(0);
    const links = places.map((place) => ({ ...read.rows[place]!.link, idempotencyKey: `import-${file}-${place}` }));
    for (const { from, to } of partsOf(links)) {
      const { data } = await client.POST('/api/manage/apps/{appId}/links/import', {
        params: { path: { appId } },
        body: { links: links.slice(from, to), dryRun },
      });
      data!.outcomes.forEach((outcome, n) => {
        const place = places[from + n]!;
        const { row } = read.rows[place]!;
        if (outcome.success) {
          good.push(place);
          if (outcome.warning !== undefined) warnings.push({ row, message: outcome.warning });
        } else {
          const details = outcome.details?.map(({ path, message }) => `${path} ${message}`).join('; ');
          faults.push({ row, message: details || outcome.error });
        }
      });
      if (from === 0) left = data!.left;
      setDone(to);
    }
    return { good, faults, warnings, left };
  }

  const messageOf = ({ fault, values }: Refused) => t(`faults.${fault}`, values as never);
  const check = useMutation({
    meta: { refetch: false },
    async mutationFn(file: File): Promise<Checked | FileFault | { fault: 'encoding' }> {
      const text = textOf(new Uint8Array(await file.arrayBuffer()));
      if (text === null) return { fault: 'encoding' };
      const read = readFile(text, timeZone);
      if ('fault' in read) return read;
      const { sha256 } = await import('@noble/hashes/sha2.js');
      const { bytesToHex } = await import('@noble/hashes/utils.js');
      const known = { read, file: bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(read.content)))) };
      const sent = await send(known, [...read.rows.keys()], true);
      const refused = read.refused.map((one) => ({ row: one.row, message: messageOf(one) }));
      return { ...known, ...sent, faults: [...refused, ...sent.faults].sort((one, other) => one.row - other.row) };
    },
  });
  const make = useMutation({
    mutationFn: (checked: Checked) => send(checked, checked.good, false),
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] }),
  });

  const unread = check.data && 'fault' in check.data ? check.data : undefined;
  const checked = check.data && 'read' in check.data ? check.data : undefined;
  const isTooMuch = checked !== undefined && checked.left !== null && checked.good.length > checked.left;
  if (make.data)
    return (
      <Stack>
        <Alert color="teal.9" title={t('imported', { count: make.data.good.length })} role="status" />
        <Faults faults={make.data.faults} />
        <Button onClick={onClose}>{t('close')}</Button>
      </Stack>
    );
  return (
    <Stack>
      <Text>{t('intro', { timeZone })}</Text>
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
      {unread && (
        <Alert color="red" role="alert">
          {t(`unread.${unread.fault}`, 'name' in unread ? { name: unread.name } : {})}
        </Alert>
      )}
      {unread?.fault === 'quotes' && (
        <Faults faults={unread.refused.map((one) => ({ row: one.row, message: messageOf(one) }))} />
      )}
      {checked && (
        <>
          <Text size="md" fw={600} role="status">
            {t('checked', { good: checked.good.length, faulty: checked.faults.length })}
          </Text>
          {checked.read.unused.length > 0 && <Text>{t('unused', { names: checked.read.unused.join(', ') })}</Text>}
          {checked.read.hasOwn && <Text>{t('own')}</Text>}
          {isTooMuch && (
            <Alert color="red" role="alert">
              {t('tooMuch', { left: format.number(checked.left ?? 0) })}
            </Alert>
          )}
          <Faults faults={checked.faults} />
          {checked.warnings.length > 0 && (
            <>
              <Text>{t('warnings', { count: checked.warnings.length })}</Text>
              <Faults faults={checked.warnings} />
            </>
          )}
        </>
      )}
      {make.isError && (
        <>
          <FailureAlert error={make.error} />
          <Text>{t('again')}</Text>
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          disabled={!checked || checked.good.length === 0 || isTooMuch || check.isPending}
          loading={make.isPending}
          onClick={() => checked && make.mutate(checked)}
        >
          {t('submit', { count: checked?.good.length ?? 0 })}
        </Button>
      </Group>
    </Stack>
  );
}

function* partsOf(links: readonly object[]): Generator<{ from: number; to: number }> {
  let from = 0;
  let bytes = 0;
  for (const [place, link] of links.entries()) {
    const size = new TextEncoder().encode(JSON.stringify(link)).length;
    if (place > from && (place - from === AT_ONCE || bytes + size > BYTES_AT_ONCE)) {
      yield { from, to: place };
      from = place;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < links.length) yield { from, to: links.length };
}

const progressOf = (done: number, all: number | undefined): number => (all ? (100 * done) / all : 5);

function Faults({ faults }: { faults: Fault[] }) {
  const t = useTranslations('importLinks');
  if (faults.length === 0) return null;
  return (
    <>
      <DataTable
        t={t}
        verticalSpacing={4}
        style={{ overflowWrap: 'anywhere' }}
        rows={faults.slice(0, SHOWN)}
        rowKey={({ row, message }) => `${row} ${message}`}
        columns={{ line: { w: 60, cell: ({ row }) => row }, fault: ({ message }) => message }}
      />
      {faults.length > SHOWN && <Text>{t('more', { count: faults.length - SHOWN })}</Text>}
    </>
  );
}
