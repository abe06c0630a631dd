import type { paths } from '@landfall/api-client';
import { Button, Group, List, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/apps.ts';
import { client } from '../../api/client.ts';
import { FailureAlert } from '../page/failure-alert.tsx';
import { useMay } from '../roles.ts';
import { Ago } from '../time.tsx';

const CHECKS = '/api/manage/apps/{appId}/checks';
type Check = paths[typeof CHECKS]['get']['responses'][200]['content']['application/json']['regular'];

/** The last regular check of the hosts: when it was, and what failed. */
export function RegularCheck({ appId, check }: { appId: string; check: Check }) {
  const t = useTranslations('setUpApp');
  const queries = useQueryClient();
  const { timeZone } = useApp(appId);
  const mayCheck = useMay(appId, 'member');
  const checkNow = useMutation({
    mutationFn: () => client.POST(CHECKS, { params: { path: { appId } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['get', CHECKS] }),
  });
  const failed = check?.findings.filter(({ state }) => state === 'failed') ?? [];
  const copies = check?.findings.filter(({ state }) => state === 'warn') ?? [];
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">
          <b>{t('regular')}: </b>
          {check === null ? (
            t('regularNone')
          ) : (
            <>
              {t('regularAt')} <Ago at={check.checkedAt} timeZone={timeZone} />.{' '}
              {failed.length === 0 ? t('regularOk') : t('regularFailed', { count: failed.length })}
            </>
          )}
        </Text>
        {mayCheck && (
          <Button size="compact-sm" variant="default" loading={checkNow.isPending} onClick={() => checkNow.mutate()}>
            {t('checkHosts')}
          </Button>
        )}
      </Group>
      {checkNow.isError && <FailureAlert error={checkNow.error} />}
      <List size="sm">
        {[...failed, ...copies].map(({ check: name, host, detail, fix }) => (
          <List.Item key={`${name} ${host}`}>
            {t(`names.${name}`)} · {host}: {detail} {fix}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
