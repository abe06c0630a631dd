import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ApiFailure, isOutage } from '../../api/failure.ts';

export interface FailureAlertProps {
  error: unknown;
  /** The page sends the request again by itself. Set it for a query. Only the person repeats a command. */
  asksAgain?: boolean;
}

/** Shows what failed, what to do about it, and the id under which the log has more. */
export function FailureAlert({ error, asksAgain = false }: FailureAlertProps) {
  const t = useTranslations('failure');
  const failure = error instanceof ApiFailure ? error : null;
  const remedy = asksAgain ? t('pageAsksAgain') : t('tryAgain');
  return (
    <Alert color={isOutage(error) ? 'yellow' : 'red'} title={isOutage(error) ? t('outage') : t('refused')} role="alert">
      <Text size="sm">{isOutage(error) ? remedy : (failure?.message ?? String(error))}</Text>
      {failure?.details.map(({ path, message }) => (
        <Text size="sm" key={path}>
          {path} {message}
        </Text>
      ))}
      {failure?.requestId && (
        <Text size="xs" mt={4}>
          {t('requestId', { id: failure.requestId })}
        </Text>
      )}
    </Alert>
  );
}
