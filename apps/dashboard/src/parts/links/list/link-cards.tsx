import { Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Copy } from '../../copy.tsx';
import { Ago } from '../../time.tsx';
import { FigureOf, LinkCell, metadataText, Tags, useMaker } from './cells.tsx';
import { type Column, ofFigures } from './columns.ts';
import { type ListProps, SelectLoaded, SelectOne, useRowsInView } from './links-table.tsx';
import classes from './list.module.css';
import { RowMenu } from './row-menu.tsx';
import type { ListedLink } from './view.ts';

/** Pixels of a usual card, with the space below it. Each one is measured. */
const CARD_HEIGHT = 146;
const MOST_TAGS = 6;

/** The links as cards, for phones: with everything that a row has. */
export function LinkCards(props: ListProps) {
  const { appId, links, columns, selected, onSelect, onFilter } = props;
  const t = useTranslations('links');
  const { body, shown, before, after, measure } = useRowsInView(props, CARD_HEIGHT);
  const figures = columns.filter((column) => ofFigures(column) && column !== 'lastTap');
  const has = (column: Column) => columns.includes(column);
  return (
    <div>
      {selected !== null && (
        <Group mb="sm">
          <SelectLoaded links={links} selected={selected} onSelect={onSelect} label={t('selectAll')} />
        </Group>
      )}
      <div ref={body}>
        <ul style={{ listStyle: 'none', margin: 0, padding: `${before}px 0 ${after}px` }} aria-label={t('title')}>
          {shown.map(({ index, link }) => (
            <li key={link.id} ref={measure} data-index={index} style={{ paddingBottom: 10 }}>
              <Paper withBorder p="sm">
                <Stack gap={6}>
                  <Group wrap="nowrap" gap="xs" align="flex-start">
                    {selected !== null && <SelectOne link={link} selected={selected} onSelect={onSelect} />}
                    <div style={{ flex: 1, minWidth: 0 }}>
                      <LinkCell appId={appId} link={link} />
                    </div>
                    <Copy value={link.url} label={t('copy', { slug: link.slug })} />
                    <RowMenu appId={appId} link={link} />
                  </Group>
                  {has('tags') && link.tags.length > 0 && (
                    <Tags tags={link.tags} most={MOST_TAGS} onFilter={onFilter} />
                  )}
                  <Group justify="space-between" align="flex-end" gap="6px md">
                    {figures.length > 0 && (
                      <Group component="dl" gap="md" m={0}>
                        {figures.map((column) => (
                          <div key={column}>
                            <Text size="xs" component="dt">
                              {t(`columns.${column}`)}
                            </Text>
                            <Text component="dd" m={0} fw={600}>
                              <FigureOf link={link} column={column} />
                            </Text>
                          </div>
                        ))}
                      </Group>
                    )}
                    <Times link={link} columns={columns} />
                  </Group>
                  {has('expires') && link.expiresAt !== null && (
                    <Text size="xs">
                      {t('columns.expires')}: <Ago at={link.expiresAt} />
                    </Text>
                  )}
                  {has('metadata') && (
                    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                      {metadataText(link)}
                    </Text>
                  )}
                </Stack>
              </Paper>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** When it was tapped last and when it was made, below each other. */
function Times({ link, columns }: { link: ListedLink; columns: readonly Column[] }) {
  const t = useTranslations('links');
  const maker = useMaker(link);
  return (
    <div className={classes.times}>
      {columns.includes('lastTap') && (
        <div>
          {t('columns.lastTap')}: <FigureOf link={link} column="lastTap" />
        </div>
      )}
      {columns.includes('made') && (
        <div>
          {t('columns.made')}: <Ago at={link.createdAt} />
          {/* Most links are made with a key. */}
          {link.createdBy !== null && (
            <>
              , <bdi>{maker}</bdi>
            </>
          )}
        </div>
      )}
    </div>
  );
}
