// What can be done with the selected links. It stays in view while the person scrolls.
import { Alert, Button, Group, Paper, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { download } from '../../page/download.ts';
import { FailureAlert } from '../../page/page.tsx';
import { tellArchived } from '../archive.tsx';
import type { ListedLink, Range, Total } from '../list/view.ts';
import { stateOf } from '../queries.ts';
import {
  type Asking,
  type Change,
  type Changed,
  changeIds,
  changeLinks,
  countOf,
  type Selection,
  type Work,
} from './selection.ts';

// The forms are loaded when one is opened.
const ChangeWindow = lazyRouteComponent(() => import('./change-windows.tsx'), 'ChangeWindow');

const FORMS = ['tags', 'campaign', 'expiry'] as const;

interface SelectionBarProps {
  selection: Selection;
  /** The days of the figures. */
  range: Range;
  /** All links that match, when more match than are loaded. */
  all: Total | null;
  onAll: () => void;
  /** Nothing is selected any more. */
  onNone: () => void;
}

export function SelectionBar({ selection, range, all, onAll, onNone }: SelectionBarProps) {
  const t = useTranslations('links');
  const format = useFormatter();
  const { branding } = useApp();
  const [asking, ask] = useState<Asking | null>(null);
  const job = useJob();
  const total = countOf(selection);
  const isAll = 'filter' in selection;
  if (total.count === 0 && job.isIdle && job.faults.size === 0 && job.error === null) return null;

  const said = (wanted: Change, count: number) => {
    const what = whatOf(wanted);
    if (what !== null) return t(`wereChanged.${what}`, { count });
    return (['addTags', 'removeTags'] as const)
      .flatMap((name) => wanted[name]?.length && t(`wereChanged.${name}`, ofTags(wanted[name], count)))
      .filter(Boolean)
      .join(' ');
  };
  const ofTags = (tags: string[], count: number) => ({ tags: format.list(tags), number: tags.length, count });
  const change = (wanted: Change) => {
    ask(null);
    job.run(total, async (work) => {
      const { ids, faults } = await changeLinks(selection, wanted, work);
      onNone();
      job.show(faults);
      if (wanted.archived === true && ids.length > 0)
        tellArchived('links', t('wereArchived', { count: ids.length }), t('undo'), () =>
          job.run({ count: ids.length, exact: true }, async (again) => {
            job.show((await changeIds(ids, { archived: false }, again)).faults);
          }),
        );
      else notifications.show({ message: said(wanted, ids.length), autoClose: 10_000 });
    });
  };
  const save = (name: string, make: (files: typeof import('./files.ts'), work: Work) => Promise<Blob>) =>
    job.run(total, async (work) => {
      const file = await make(await import('./files.ts'), work);
      if (!work.signal.aborted) download(file, name);
    });
  const links = isAll ? [] : [...selection.links.values()];
  const mayArchive = isAll ? selection.filter.state !== 'archived' : links.some((link) => stateOf(link) !== 'archived');
  const mayRestore = isAll ? selection.filter.state === 'archived' : links.some(isArchived);
  const button = { size: 'compact-sm', variant: 'default', disabled: !job.isIdle } as const;
  return (
    <Paper withBorder p="xs" pos="sticky" top={60} style={{ zIndex: 2 }} role="region" aria-label={t('selection')}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text role="status">{t(total.exact ? 'selected' : 'selectedOver', { count: total.count })}</Text>
          {!isAll && all !== null && job.isIdle && (
            <Button size="compact-sm" variant="light" onClick={onAll}>
              {t(all.exact ? 'selectMatching' : 'selectMatchingOver', { count: all.count })}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button {...button} onClick={onNone}>
            {t('selectNone')}
          </Button>
          {FORMS.map((name) => (
            <Button key={name} {...button} onClick={() => ask(name)}>
              {t(`change.${name}`)}
            </Button>
          ))}
          <Button {...button} onClick={() => ask('qr')}>
            {t('qrCodes')}
          </Button>
          <Button
            {...button}
            onClick={() => void save('links.csv', (files, work) => files.csvOf(selection, range, work))}
          >
            {t('csvOfSelection')}
          </Button>
          {mayRestore && (
            <Button {...button} onClick={() => change({ archived: false })}>
              {t('unarchive')}
            </Button>
          )}
          {mayArchive && (
            <Button {...button} onClick={() => change({ archived: true })}>
              {t('archive')}
            </Button>
          )}
        </Group>
      </Group>
      {job.running !== null && (
        <Group mt="xs" wrap="nowrap">
          <Progress
            flex={1}
            value={job.running.total.exact ? (100 * job.running.done) / Math.max(1, job.running.total.count) : 100}
            striped={!job.running.total.exact}
            animated={!job.running.total.exact}
            aria-label={t('progress')}
          />
          <Text size="xs">{t('done', { count: job.running.done })}</Text>
          <Button size="compact-sm" variant="default" onClick={job.stop}>
            {t('stop')}
          </Button>
        </Group>
      )}
      {job.faults.size > 0 && (
        <Alert
          mt="xs"
          color="red"
          role="alert"
          title={t('notChanged')}
          withCloseButton
          onClose={() => job.show(NO_FAULTS)}
        >
          {[...job.faults].map(([reason, count]) => (
            <Text key={reason}>{t('fault', { count, reason })}</Text>
          ))}
        </Alert>
      )}
      {job.error !== null && <FailureAlert error={job.error} />}
      {asking !== null && (
        <Suspense>
          <ChangeWindow
            asking={asking}
            total={total}
            hasLogo={branding.logo !== null}
            onClose={() => ask(null)}
            onChange={change}
            onQrCodes={(withLogo) => {
              ask(null);
              const logo = withLogo && branding.logo !== null ? `/logos/${branding.logo}.png` : null;
              void save('qr-codes.zip', (files, work) => files.qrCodesOf(selection, logo, work));
            }}
          />
        </Suspense>
      )}
    </Paper>
  );
}

/** Null: the tags. */
const whatOf = ({ utm, expiresAt, archived }: Change) =>
  utm ? 'campaign' : expiresAt !== undefined ? 'expiry' : archived === false ? 'unarchived' : null;

const isArchived = (link: ListedLink): boolean => stateOf(link) === 'archived';

const NO_FAULTS: Changed['faults'] = new Map();

/** One piece of work at a time, with its progress. It can be stopped, and goes on when the page shows other links. */
function useJob() {
  const { id: appId } = useApp();
  const queries = useQueryClient();
  const stopper = useRef(new AbortController());
  const [running, setRunning] = useState<{ done: number; total: Total } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [faults, show] = useState(NO_FAULTS);

  async function run(total: Total, doIt: (work: Work) => Promise<void>): Promise<void> {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    setError(null);
    show(NO_FAULTS);
    setRunning({ done: 0, total });
    try {
      await doIt({ appId, signal, onProgress: (done) => setRunning({ done, total }) });
    } catch (error) {
      if (!signal.aborted) setError(error);
    } finally {
      setRunning(null);
      await queries.invalidateQueries();
    }
  }

  return {
    running,
    error,
    faults,
    show,
    run,
    isIdle: running === null,
    stop: () => stopper.current.abort(),
  };
}
