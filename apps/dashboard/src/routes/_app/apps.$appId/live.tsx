import { linkNameOf } from '@landfall/api-client/link-name';
import { Button, ColorSwatch, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/index.ts';
import { KINDS, type LiveItem, newestFirst, useLiveEvents } from '../../../parts/live/live-events.ts';
import { LiveList, latestEvents } from '../../../parts/live/live-list.tsx';
import { Page, Section } from '../../../parts/page/page.tsx';
import { RESTORES } from '../../../parts/restores/restore-card.tsx';
import { Toned } from '../../../parts/states/state.tsx';

type Kind = LiveItem['kind'];

export const Route = createFileRoute('/_app/apps/$appId/live')({
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: Kind } =>
    typeof kind === 'string' && kind in KINDS ? { kind: kind as Kind } : {},
  component: Live,
});

function Live() {
  const t = useTranslations('live');
  const { appId } = Route.useParams();
  const { kind } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [paused, setPaused] = useState(false);
  const { items, connected } = useLiveEvents(appId, paused);
  const shown = items.filter((item) => kind === undefined || item.kind === kind).slice(0, SHOWN);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Group gap={8} wrap="nowrap">
            {connected && !paused && (
              <ColorSwatch size={10} withShadow={false} color="var(--mantine-color-green-6)" aria-hidden />
            )}
            <Toned tone={paused ? 'off' : connected ? 'good' : 'warning'}>
              {t(paused ? 'paused' : !connected ? 'connecting' : items.length > 0 ? 'connected' : 'waiting')}
            </Toned>
          </Group>
          <Button variant="default" onClick={() => setPaused(!paused)}>
            {paused ? t('resume') : t('pause')}
          </Button>
          <Select
            aria-label={t('kind')}
            placeholder={t('anyKind')}
            clearable
            allowDeselect
            w={190}
            data={(Object.keys(KINDS) as Kind[]).map((value) => ({ value, label: t(`kinds.${value}`) }))}
            value={kind ?? null}
            onChange={(value) =>
              void navigate({
                search: value === null ? {} : { kind: value as Kind },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </>
      }
    >
      {shown.length === 0 && <Text size="md">{t(kind === undefined ? 'empty' : 'emptyOfKind')}</Text>}
      <LiveList appId={appId} items={shown} />
      <Before appId={appId} items={items} kind={kind} />
    </Page>
  );
}

/** Rows of what happens while the page is open. */
const SHOWN = 200;
/** Groups of rows, and the rows that are read for them: those of a push are one group. */
const BEFORE = 20;
const READ = 100;

/** The events and decisions before the page opened. They are read once, and those of a kind when it is chosen. */
function Before({ appId, items, kind }: { appId: string; items: readonly LiveItem[]; kind: Kind | undefined }) {
  const t = useTranslations('live');
  const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };
  const ofEvents = kind !== 'decision';
  const ofDecisions = kind === undefined || kind === 'decision';
  const asked = { limit: READ, ...(kind !== undefined && ofEvents && { kind }) };
  const happened = useQuery({ ...latestEvents(appId, asked), ...once, enabled: ofEvents });
  const decided = api.useQuery(
    'get',
    RESTORES,
    { params: { path: { appId }, query: { limit: READ } } },
    { ...once, enabled: ofDecisions },
  );
  if ((ofEvents && !happened.data) || (ofDecisions && decided.isPending)) return null;
  const events = (ofEvents && happened.data?.events) || [];
  const names = new Map(decided.data?.links.map((link) => [link.id, linkNameOf(link)]));
  const decisions = ((ofDecisions && decided.data?.restores) || []).map((restore) => {
    const linkId = restore.considered.find(({ taken }) => taken)?.linkId ?? null;
    return { ...restore, kind: 'decision' as const, linkId, linkName: names.get(linkId ?? '') ?? null };
  });
  // Events and decisions are read back to different times. Before the later one, decisions would stand without their taps.
  const ends = [events, decisions].map((read) => (read.length === READ ? read.at(-1)!.at : ''));
  const since = ends.toSorted().at(-1)!;
  const now = new Set(items.map((item) => `${item.kind} ${item.id}`));
  const before = [...events, ...decisions]
    .filter((item) => item.at >= since && !now.has(`${item.kind} ${item.id}`))
    .sort(newestFirst);
  if (before.length === 0) return null;
  return (
    <Section title={t('before')}>
      <LiveList appId={appId} items={before} most={BEFORE} goesOn={since !== ''} />
    </Section>
  );
}
