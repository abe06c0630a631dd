import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { CopyBlock } from '../../copy.tsx';
import { DataTable } from '../../page/data-table.tsx';
import { FailureAlert } from '../../page/page.tsx';
import { placesOf } from '../values/link-values.ts';
import { type Choices, ColumnMap } from './column-map.tsx';
import { isExport, namesOfTarget, proposed, TARGETS, type Target } from './columns.ts';
import { textOf } from './csv.ts';
import { type ReadRows, type RowFault, readRows } from './import-rows.ts';
import { type Headings, resultFile, withoutResult } from './result-file.ts';
import { keysOf } from './row-keys.ts';
import { type Fault, type Sent, sendRows } from './send-rows.ts';
import { type FileFault, passwordsIn, readTable, type Table } from './table.ts';

/** Faults that are shown. Somebody who has more corrects these first. */
const SHOWN = 500;

const EXAMPLE = `destination,name,slug,campaign,source,tags
/sale,Spring sale in the newsletter,spring-news,spring-sale,newsletter,"spring, email"
https://shop.example.com/sale,Spring sale on posters,spring-poster,spring-sale,poster,spring`;

/** The file, and what a person said of its columns. */
interface Asked {
  table: Table;
  choices: Choices;
}

interface Checked extends Sent {
  asked: Asked;
  read: ReadRows;
  keys: ReadonlyMap<number, string>;
}

/** Imports links of a CSV file: a person says what the columns are, every row is checked, then the person decides. */
export function ImportLinks({ onClose }: { onClose: () => void }) {
  const t = useTranslations('importLinks');
  return (
    <Modal opened onClose={onClose} title={t('title')} size="60rem">
      <ImportForm onClose={onClose} />
    </Modal>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('importLinks');
  const format = useFormatter();
  const queries = useQueryClient();
  const app = useApp();
  const { id: appId, timeZone } = app;
  const [file, setFile] = useState<File | null>(null);
  const [table, setTable] = useState<Table | null>(null);
  const [unread, setUnread] = useState<FileFault | { fault: 'encoding' } | null>(null);
  const [choices, setChoices] = useState<Choices>({ mapping: [], order: null, keepsText: false });
  const [done, setDone] = useState(0);
  const attempt = useRef(0);
  const messageOf = useMessages(table, choices);

  function sendAll(
    { asked, read: { rows }, keys }: Pick<Checked, 'asked' | 'read' | 'keys'>,
    places: readonly number[],
    dryRun: boolean,
  ) {
    const mine = attempt.current;
    return sendRows({
      ...{ appId, rows, places, keys, dryRun, reused: t('reused'), onSent: setDone },
      columnOf: (field) => columnOf(field, asked, (target) => t(`targets.${target}`, { key: '' })),
      goesOn: () => attempt.current === mine,
    });
  }

  const check = useMutation({
    meta: { refetch: false },
    async mutationFn(asked: Asked): Promise<Checked> {
      const { table, choices } = asked;
      attempt.current++;
      setDone(0);
      const read = readRows(table, { ...choices, timeZone, places: placesOf(app) });
      const ready = { asked, read, keys: await keysOf(table) };
      return { ...ready, ...(await sendAll(ready, [...read.rows.keys()], true)) };
    },
  });
  const make = useMutation({
    mutationFn: (checked: Checked) => {
      setDone(0);
      return sendAll(checked, checked.good, false);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/api/manage/apps/{appId}/links'] }),
  });

  function choose(table: Table, choices: Choices) {
    setChoices(choices);
    make.reset();
    check.reset();
    if (choices.mapping.includes('destination')) check.mutate({ table, choices });
  }
  async function open(file: File | null) {
    setFile(file);
    setTable(null);
    setUnread(null);
    make.reset();
    check.reset();
    if (!file) return;
    const text = textOf(new Uint8Array(await file.arrayBuffer()));
    const read = text === null ? ({ fault: 'encoding' } as const) : readTable(text);
    if ('fault' in read) return setUnread(read);
    const table = withoutResult(read, headingsOf(t));
    setTable(table);
    choose(table, { mapping: proposed(table.names), order: null, keepsText: false });
  }

  const checked = check.data;
  const refused = checked?.read.refused.map((one) => ({ row: one.row, message: messageOf(one) })) ?? [];
  const faults = [...refused, ...(checked?.faults ?? [])].sort((one, other) => one.row - other.row);
  const fresh = checked ? checked.good.length - checked.existed : 0;
  const passwords = table ? passwordsIn(table) : 0;
  const isTooMuch = checked !== undefined && checked.left !== null && fresh > checked.left;
  if (make.data && table)
    return <Imported table={table} sent={make.data} faults={[...faults, ...make.data.faults]} onClose={onClose} />;
  return (
    <Stack>
      <Text>{t('intro', { timeZone })}</Text>
      {!table && <CopyBlock value={EXAMPLE} label={t('copyExample')} />}
      <FileInput
        label={t('file')}
        placeholder={t('choose')}
        accept=".csv,.tsv,.txt,text/csv"
        value={file}
        onChange={(file) => void open(file)}
      />
      {unread && (
        <Alert color="red" role="alert">
          {t(`unread.${unread.fault}`, 'name' in unread ? { name: unread.name } : {})}
        </Alert>
      )}
      {unread?.fault === 'quotes' && (
        <Faults faults={unread.broken.map(({ row, fault }) => ({ row, message: messageOf({ fault, values: {} }) }))} />
      )}
      {table && (
        <ColumnMap table={table} timeZone={timeZone} choices={choices} onChange={(choices) => choose(table, choices)} />
      )}
      {table && !choices.mapping.includes('destination') && (
        <Alert color="yellow" role="alert">
          {t('noDestination')}
        </Alert>
      )}
      {(check.isPending || make.isPending) && (
        <Progress value={progressOf(done, table?.rows.length)} animated aria-label={t('progress')} />
      )}
      {check.isError && <FailureAlert error={check.error} />}
      {checked && (
        <>
          <Text size="md" fw={600} role="status">
            {t('checked', { good: fresh, existed: checked.existed, faulty: faults.length })}
          </Text>
          {table && isExport(table.names) && <Text>{t('ofExport')}</Text>}
          {isTooMuch && (
            <Alert color="red" role="alert">
              {t('tooMuch', { left: format.number(checked.left ?? 0) })}
            </Alert>
          )}
          {passwords > 0 && (
            <Alert color="yellow" role="alert">
              {t('passwords', { count: passwords })}
            </Alert>
          )}
          <Faults faults={faults} />
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
          {fresh === 0 && checked && checked.existed > 0 ? t('submitAgain') : t('submit', { count: fresh })}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns the name of the column that a field of the API comes from, or the field's own one. */
function columnOf(field: string, { table, choices }: Asked, nameOf: (target: Target) => string): string {
  const target = TARGETS.find((one) => one === field.split('.')[0]);
  if (target === undefined) return field;
  // The page of a link may come from its destination.
  return (
    namesOfTarget(target, choices.mapping, table.names) ||
    (target === 'webUrl' ? columnOf('destination', { table, choices }, nameOf) : nameOf(target))
  );
}

/** Returns the sentence of a fault, with the name of its column in the file. */
function useMessages(table: Table | null, { mapping }: Choices) {
  const t = useTranslations('importLinks');
  const ofDestination = useTranslations('linkBuilder');
  return ({ fault, values }: { fault: RowFault; values: Record<string, string | number> }): string => {
    if (fault.startsWith('destination.')) return ofDestination(`faults.${fault.slice('destination.'.length)}` as never);
    const target = fault === 'archived' ? 'archived' : fault === 'noPlace' ? 'destination' : 'expiresAt';
    const column = namesOfTarget(target, mapping, table?.names ?? []);
    return t(`faults.${fault}` as never, { column, ...values } as never);
  };
}

const headingsOf = (t: ReturnType<typeof useTranslations<'importLinks'>>): Headings => [
  t('result.url'),
  t('result.slug'),
  t('result.error'),
];

interface ImportedProps {
  table: Table;
  sent: Sent;
  faults: Fault[];
  onClose: () => void;
}

/** The result of the import, and the file with the new addresses. */
function Imported({ table, sent, faults, onClose }: ImportedProps) {
  const t = useTranslations('importLinks');
  const [address, setAddress] = useState<string>();
  const outcomes = new Map([
    ...faults.map(({ row, message }) => [row, { error: message }] as const),
    ...[...sent.made].map(([row, made]) => [row, { ...made, error: '' }] as const),
  ]);
  const csv = resultFile(table, outcomes, headingsOf(t));
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [csv]);
  return (
    <Stack>
      <Alert
        color="teal.9"
        title={t('imported', { count: sent.good.length - sent.existed, existed: sent.existed })}
        role="status"
      />
      <Text>{t('resultHelp')}</Text>
      <Group>
        <Button component="a" href={address} download="links-imported.csv">
          {t('resultFile')}
        </Button>
      </Group>
      <Faults faults={faults} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  );
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
