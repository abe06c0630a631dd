import type { Token } from '@landfall/api-client';
import { Badge, Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Confirm } from '../page/confirm.tsx';
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
  const [revoked, setRevoked] = useState<Token | null>(null);
  const shown = (token: Token) => token.label || token.hint;
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('label')}</Table.Th>
              <Table.Th>{t(of)}</Table.Th>
              <Table.Th>{t('scope')}</Table.Th>
              <Table.Th>{t('lastUsed')}</Table.Th>
              <Table.Th>{t('expires')}</Table.Th>
              <Table.Th>{t('actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td>
                  {token.label || t('unnamed')}{' '}
                  <Text span size="sm" ff="monospace">
                    {token.hint}
                  </Text>
                </Table.Td>
                <Table.Td>{nameOf(token)}</Table.Td>
                <Table.Td>{t(`scopes.${token.scope}`)}</Table.Td>
                <Table.Td>{token.lastUsedAt ? <Ago at={token.lastUsedAt} timeZone={timeZone} /> : t('never')}</Table.Td>
                <Table.Td>{token.expiresAt ? <Ago at={token.expiresAt} timeZone={timeZone} /> : t('never')}</Table.Td>
                <Table.Td>
                  {token.revokedAt !== null ? (
                    <Badge color="gray.8">{t('revoked')}</Badge>
                  ) : (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => setRevoked(token)}
                      aria-label={t('revokeNamed', { label: shown(token) })}
                    >
                      {t('revoke')}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Confirm
        title={t('revoke')}
        opened={revoked !== null}
        onClose={() => setRevoked(null)}
        onConfirm={() => revoke(revoked!.id)}
        danger
      >
        <Text>{t('revokeText', { label: revoked ? shown(revoked) : '' })}</Text>
      </Confirm>
    </>
  );
}
