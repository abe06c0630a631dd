// All values of one card, to search and to download.
import { Group, Modal, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApp } from '../../../api/index.ts';
import { CsvButton } from '../../page/links.tsx';
import { Loaded } from '../../page/page.tsx';
import { useNames } from '../names.ts';
import { type CardQuestion, cardsQuery, csvOf, MOST_VALUES } from '../queries.ts';
import type { Dimension, Order, View } from '../view.ts';
import { ValueTable } from './value-table.tsx';

interface AllValuesProps {
  dimension: Dimension;
  view: View;
  order: Order | undefined;
  onOrder: (order: Order) => void;
  question: CardQuestion;
  chosen: ReadonlySet<string | null>;
  onChoose: (value: string | null) => void;
  onClose: () => void;
}

export function AllValues({ dimension, view, order, onOrder, question, chosen, onChoose, onClose }: AllValuesProps) {
  const t = useTranslations('analytics');
  const names = useNames();
  const { id: appId } = useApp();
  const [search, setSearch] = useState('');
  const query = useQuery(cardsQuery(appId, [dimension], question, MOST_VALUES));
  const wanted = search.trim().toLowerCase();
  return (
    <Modal opened onClose={onClose} size="xl" title={names.of(dimension)}>
      <Group mb="sm" justify="space-between">
        <TextInput
          type="search"
          data-autofocus
          flex={1}
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <CsvButton href={csvOf(appId, dimension, question)} />
      </Group>
      <Loaded query={query} rows={10}>
        {(found) => {
          const [{ groups, groupCount } = { groups: [], groupCount: 0 }] = found.breakdowns;
          const shown = groups.filter((group) => names.nameOf(dimension, group).toLowerCase().includes(wanted));
          return (
            <>
              <ValueTable
                dimension={dimension}
                view={view}
                order={order}
                onOrder={onOrder}
                breakdown={{ groups: shown }}
                found={found}
                chosen={chosen}
                onChoose={onChoose}
              />
              {groupCount > groups.length && <Text mt="sm">{t('others', { count: groupCount - groups.length })}</Text>}
            </>
          );
        }}
      </Loaded>
    </Modal>
  );
}
