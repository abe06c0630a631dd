import code from 'virtual:set-up-code';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { CopyBlock } from '../copy.tsx';
import { fill } from './platforms.ts';

/** The calls of a backend that make links, with a key that was just made. */
export function FirstCall({ apiKey }: { apiKey: string }) {
  const t = useTranslations('keys');
  const { linkHost, openHost } = useApp();
  const values = { api: location.origin, key: apiKey, linkHost, openHost };
  return <CopyBlock value={fill(code.curl[0]!.code, values)} label={t('copyCall')} />;
}
