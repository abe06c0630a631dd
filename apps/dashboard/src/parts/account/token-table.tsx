import type { Token } from '@landfall/api-client';
import { Badge, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../page/confirm.tsx';
import { type Columns, DataTable, rowButton } from '../page/data-table.tsx';
import { Ago } from '../time.tsx';

export interface TokenTableProps {
  tokens: readonly Token[];
  /** The column that tells the tokens apart: the team or the person. */
  of: 'team' | 'person';
  nameOf(token: Token): string | undefined;
  timeZone: string;
  revoke(tokenId: string): Promise<void>;
}

/** Tokens, each with a button that ends it after a question. */
export function TokenTable({ tokens, of, nameOf, timeZone, revoke }: TokenTableProps) {
  const t = useTranslations('tokens');
  const timeOf = (time: string | null) => (time ? <Ago at={time} timeZone={timeZone} /> : t('never'));
  const columns: Columns<Token> = [
    {
      heading: t('label'),
      cell: ({ label, hint }) => (
        <>
          {label || t('unnamed')}{' '}
          <Text span size="sm" ff="monospace">
            {hint}
          </Text>
        </>
      ),
    },
    { heading: t(of), cell: nameOf },
    { heading: t('scope'), cell: ({ scope }) => t(`scopes.${scope}`) },
    { heading: t('lastUsed'), cell: ({ lastUsedAt }) => timeOf(lastUsedAt) },
    { heading: t('expires'), cell: ({ expiresAt }) => timeOf(expiresAt) },
    {
      heading: t('actions'),
      cell: ({ id, label, hint, revokedAt }) =>
        revokedAt !== null ? (
          <Badge color="gray.8">{t('revoked')}</Badge>
        ) : (
          <ConfirmButton
            {...rowButton}
            title={t('revoke')}
            aria-label={t('revokeNamed', { label: label || hint })}
            onConfirm={() => revoke(id)}
            danger
          >
            <Text>{t('revokeText', { label: label || hint })}</Text>
          </ConfirmButton>
        ),
    },
  ];
  return <DataTable minWidth={640} rows={tokens} rowKey="id" columns={columns} />;
}
