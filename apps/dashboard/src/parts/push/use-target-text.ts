import type { Notification } from '@landfall/api-client';
import { useTranslations } from 'use-intl';

/** Returns a function that says whom a push is for. */
export function useTargetText(): (target: Notification['target']) => string {
  const t = useTranslations('push');
  return ({ platform, emails, tokens, seenWithinDays }) => {
    const parts = [
      platform && t(`audiences.${platform}`),
      emails !== null && t('namedPeople', { count: emails }),
      tokens !== null && t('namedTokens', { count: tokens }),
      seenWithinDays !== null && t('seenWithin', { count: seenWithinDays }),
    ].filter((part) => typeof part === 'string');
    return parts.length > 0 ? parts.join(', ') : t('audiences.all');
  };
}
