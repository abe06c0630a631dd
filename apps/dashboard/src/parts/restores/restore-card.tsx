// The start of an app, as a row of the list of restores: what it got, why, and what would have found a link.

import type { paths } from '@landfall/api-client';
import { linkNameOf } from '@landfall/api-client/link-name';
import { Code, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { Copy } from '../copy.tsx';
import { Reasons } from '../live/live-list.tsx';
import { Disclosure } from '../page/disclosure.tsx';
import { PageLink } from '../page/links.tsx';
import { COUNTS, FINDS } from '../set-up/evidence.ts';
import { shortId } from '../short-id.ts';
import { Toned } from '../states/state.tsx';
import { Ago } from '../time.tsx';
import { Handed } from './handed.tsx';
import classes from './restore-card.module.css';
import { namesSetting, useReason, useResult } from './result.ts';

export const RESTORES = '/api/manage/apps/{appId}/restores';
type Answer = paths[typeof RESTORES]['get']['responses'][200]['content']['application/json'];
export type Restore = Answer['restores'][number];
export type Link = Answer['links'][number];
type Key = Answer['keys'][number];

interface RestoreCardProps {
  restore: Restore;
  links: ReadonlyMap<string, Link>;
  keys: ReadonlyMap<string, Key>;
  /** The element of the card. Default: an item of a list. */
  as?: 'li' | 'div';
  /** Shows everything at first. A person opens the others: a list is read by its results. */
  opened?: boolean;
}

export function RestoreCard({ restore, links, keys, as = 'li', opened = false }: RestoreCardProps) {
  const t = useTranslations('restores');
  const clients = useTranslations('clients');
  const { id: appId } = useApp();
  const { at, outcome, matchType, platform, summary, considered, near, advice } = restore;
  const taken = considered.find((one) => one.taken);
  const link = taken && links.get(taken.linkId);
  const { said, reason } = useReason()(restore);
  const result = useResult()(restore);
  const nameOf = (linkId: string) => <LinkName appId={appId} linkId={linkId} link={links.get(linkId)} />;
  return (
    <Paper component={as as 'li'} withBorder style={{ overflowWrap: 'anywhere' }}>
      <Disclosure
        inCard
        opened={opened}
        className={classes.summary}
        summary={
          <span className={classes.lines}>
            <span className={classes.first}>
              <Text span className={classes.line!} title={link?.destination}>
                {outcome === 'lost' ? <Toned tone="warning">{result}</Toned> : <b>{result}</b>}
                {link !== undefined && (
                  <>
                    : <bdi>{linkNameOf(link)}</bdi>
                  </>
                )}
              </Text>
              <Text span c="dimmed" className={classes.last!}>
                {platform && `${clients(`platforms.${platform}`)} · `}
                <Ago at={at} />
              </Text>
            </span>
            <Text span className={classes.line!} title={reason}>
              {reason}
            </Text>
          </span>
        }
      >
        <Asker restore={restore} keys={keys} />
        <Reasons considered={considered} nameOf={nameOf} said={said} />
        {link !== undefined && matchType !== null && outcome !== 'lost' && <Handed destination={link.destination} />}
        {near.length > 0 && <Near restore={restore} nameOf={nameOf} />}
        {matchType === null && <Evidence restore={restore} />}
        {advice !== null && <Advice advice={advice} />}
        {namesSetting(summary) && (
          <PageLink size="sm" to="/apps/$appId/matching" params={{ appId }}>
            {t('setting')}
          </PageLink>
        )}
      </Disclosure>
    </Paper>
  );
}

/** The device, its client and key, and the exact time. Rows of older versions know the device alone. */
function Asker({ restore, keys }: { restore: Restore; keys: ReadonlyMap<string, Key> }) {
  const t = useTranslations('restores');
  const format = useFormatter();
  const { id: appId } = useApp();
  const { at, device, client, keyId } = restore;
  const key = keyId === null ? undefined : keys.get(keyId);
  const facts = [
    client,
    key && t('key', { label: [key.label, key.hint].filter(Boolean).join(' ') }),
    format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' }),
  ].filter(Boolean);
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {device === null ? (
        t('unnamed')
      ) : (
        <PageLink size="sm" underline="always" to="/apps/$appId/devices/$deviceId" params={{ appId, deviceId: device }}>
          {t('device', { id: shortId(device) })}
        </PageLink>
      )}
      {facts.map((fact) => ` · ${fact}`)}
    </Text>
  );
}

export function LinkName({ appId, linkId, link }: { appId: string; linkId: string; link: Link | undefined }) {
  const t = useTranslations('restores');
  if (link === undefined) return <Text c="dimmed">{t('unknownLink')}</Text>;
  return (
    <PageLink
      size="sm"
      display="block"
      maw="100%"
      style={{ overflowWrap: 'anywhere' }}
      to="/apps/$appId/links/$linkId"
      params={{ appId, linkId }}
      title={link.destination}
    >
      <bdi>{linkNameOf(link)}</bdi>
    </PageLink>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The taps that may have led to a start, of anybody. An address is never shown, only whether it is the same. */
function Near({ restore, nameOf }: { restore: Restore; nameOf: (linkId: string) => React.ReactNode }) {
  const t = useTranslations('restores.near');
  const clients = useTranslations('clients');
  const format = useFormatter();
  const said = (tappedAt: string, facts: string) => {
    const seconds = Math.max(0, Math.floor((Date.parse(restore.at) - Date.parse(tappedAt)) / 1_000));
    const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
    if (unit === undefined) return t('moment', { facts });
    const span = format.number(Math.floor(seconds / length), { style: 'unit', unit, unitDisplay: 'long' });
    return t('before', { span, facts });
  };
  const platformOf = (platform: Restore['platform']) => {
    if (platform === null) return null;
    if (platform === restore.platform) return t('samePlatform');
    return t('otherPlatform', { platform: clients(`platforms.${platform}`) });
  };
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm" fw={600}>
        {t('title')}
      </Text>
      <List size="sm" spacing={2} styles={{ itemWrapper: { maxWidth: '100%' }, itemLabel: { minWidth: 0 } }}>
        {restore.near.map(({ pendingLinkId, linkId, tappedAt, platform, here, closed }) => (
          <List.Item key={pendingLinkId}>
            <Text size="sm">
              {said(
                tappedAt,
                [
                  here === null ? t('noAddress') : here ? t('here') : t('elsewhere'),
                  platformOf(platform),
                  closed && t('closed'),
                ]
                  .filter(Boolean)
                  .join(', '),
              )}
            </Text>
            {nameOf(linkId)}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Evidence({ restore: { sent, platform } }: { restore: Restore }) {
  const t = useTranslations('restores.evidence');
  const clients = useTranslations('clients');
  const { clipboard } = useApp();
  if (sent === null) return null;
  const counting = COUNTS[platform ?? 'unknown'].filter((name) => name !== 'clipboard' || clipboard || sent.clipboard);
  const listed = (names: readonly (typeof counting)[number][]) =>
    names.map((name) => clients(`parts.${name}`)).join(', ');
  const came = listed(counting.filter((name) => sent[name]));
  const missing = listed(counting.filter((name) => !sent[name] && FINDS.some((one) => one === name)));
  return (
    <Text size="sm" mt="xs">
      {t('sent', { parts: came || t('none') })} {missing && t('notSent', { parts: missing })}
    </Text>
  );
}

function Advice({ advice: { text, line, place, page } }: { advice: NonNullable<Restore['advice']> }) {
  const t = useTranslations('restores.advice');
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm">
        <b>{t('title')}:</b> {text}{' '}
        {page !== null && (
          <PageLink size="sm" underline="always" to="/docs/$" params={{ _splat: page }}>
            {t('page')}
          </PageLink>
        )}
      </Text>
      {line !== null && place !== null && <Text size="sm">{t('place', { place })}</Text>}
      {line !== null && (
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{line}</Code>
          <Copy value={line} label={t('copy')} />
        </Group>
      )}
    </Stack>
  );
}
