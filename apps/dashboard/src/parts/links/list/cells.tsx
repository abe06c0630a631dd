// What a link shows in the list, in a row and in a card.

import { linkNameOf } from '@landfall/api-client/link-name';
import { splitUtm } from '@landfall/api-client/utm';
import { Group, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { PageLink } from '../../page/links.tsx';
import { RATE } from '../../rate.ts';
import { Ago } from '../../time.tsx';
import { stateOf } from '../queries.ts';
import type { Column } from './columns.ts';
import classes from './list.module.css';
import type { LinkFilter, ListedLink } from './view.ts';

/** Narrows the list to a tag or a campaign. */
export type OnFilter = (filter: LinkFilter) => void;

/** Characters at the end that stay when a destination is cut. */
const END = 14;

/**
 * The name with the short address and the destination below. A link without a name has its destination, with its short
 * address below. The state only when it is not the usual one.
 */
export function LinkCell({ appId, link }: { appId: string; link: ListedLink }) {
  const t = useTranslations('links');
  const { destination, url } = link;
  const state = stateOf(link);
  const called = linkNameOf(link);
  const { rest } = splitUtm(destination);
  return (
    <>
      <PageLink
        size="sm"
        className={classes.line!}
        title={called}
        dir="auto"
        to="/apps/$appId/links/$linkId"
        params={{ appId, linkId: link.id }}
      >
        {called}
      </PageLink>
      <CutLine text={url.replace(/^https?:\/\//, '')} title={url}>
        {state !== 'live' && <b>{t(`states.${state}`)} </b>}
      </CutLine>
      {called !== rest && <CutLine text={rest} title={destination} />}
    </>
  );
}

/** One line, cut before its end. */
function CutLine({ text, title, children }: { text: string; title: string; children?: ReactNode }) {
  const start = text.length > 2 * END ? text.length - END : text.length;
  return (
    <Text size="xs" c="dimmed" className={classes.middle!} title={title}>
      {children}
      <span>{text.slice(0, start)}</span>
      <span>{text.slice(start)}</span>
    </Text>
  );
}

export function Campaign({ destination, onFilter }: { destination: string; onFilter: OnFilter }) {
  const t = useTranslations('links');
  const { utm_campaign: campaign } = splitUtm(destination).utm;
  if (campaign === '') return null;
  return (
    <FilterButton text={campaign} label={t('onlyCampaign', { campaign })} onClick={() => onFilter({ campaign })} />
  );
}

export function Tags({ tags, most, onFilter }: { tags: readonly string[]; most: number; onFilter: OnFilter }) {
  const t = useTranslations('links');
  const shown = tags.length > most ? tags.slice(0, most - 1) : tags;
  return (
    <Group gap={4}>
      {shown.map((tag) => (
        <FilterButton key={tag} text={tag} label={t('onlyTag', { tag })} onClick={() => onFilter({ tag })} isChip />
      ))}
      {shown.length < tags.length && (
        <Text size="xs" c="dimmed" title={tags.join(', ')}>
          {t('moreTags', { count: tags.length - shown.length })}
        </Text>
      )}
    </Group>
  );
}

interface FilterButtonProps {
  text: string;
  label: string;
  onClick: () => void;
  isChip?: boolean;
}

function FilterButton({ text, label, onClick, isChip = false }: FilterButtonProps) {
  return (
    <UnstyledButton
      className={isChip ? `${classes.filter} ${classes.chip}` : classes.filter!}
      fz={isChip ? 'xs' : 'sm'}
      title={text}
      aria-label={label}
      onClick={onClick}
    >
      <bdi>{text}</bdi>
    </UnstyledButton>
  );
}

export function useMaker({ createdBy }: Pick<ListedLink, 'createdBy'>): string {
  const t = useTranslations('links');
  return createdBy === null ? t('byKey') : (createdBy.name ?? t(`makers.${createdBy.kind}`));
}

export function Made({ link }: { link: ListedLink }) {
  const by = useMaker(link);
  return (
    <>
      <span className={classes.line}>
        <Ago at={link.createdAt} />
      </span>
      <Text size="xs" c="dimmed" className={classes.line!} title={by}>
        <bdi>{by}</bdi>
      </Text>
    </>
  );
}

/** A figure of a link. Null when nobody knows it now. */
export function FigureOf({ link: { figures }, column }: { link: ListedLink; column: Column }) {
  const t = useTranslations('links');
  const format = useFormatter();
  if (figures === null || figures === undefined) return '–';
  const { clicks, installs, lastTapAt } = figures;
  if (column === 'lastTap')
    return <span className={classes.line}>{lastTapAt === null ? t('noTap') : <Ago at={lastTapAt} />}</span>;
  if (column === 'rate') return clicks === 0 ? '–' : format.number(installs / clicks, RATE);
  return format.number(column === 'clicks' ? clicks : installs);
}

export const metadataText = ({ metadata }: Pick<ListedLink, 'metadata'>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
