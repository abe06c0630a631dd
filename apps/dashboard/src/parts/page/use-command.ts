import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ApiFailure, isOutage } from '../../api/index.ts';
import { useSentences } from '../forms/sentences.ts';

/** A command without a form. When it fails, a message in the corner says so. */
export const useCommand = <Answer, Input = void>(mutationFn: (input: Input) => Promise<Answer>) =>
  useMutation({ mutationFn, onError: useFailureToast() });

/** Returns a function that tells a failed command. The form or the row stays as it was. */
export function useFailureToast(): (error: unknown) => void {
  const t = useTranslations('failure');
  const sentences = useSentences();
  return (error) => {
    const failure = error instanceof ApiFailure ? error : null;
    const id = failure?.requestId ? ` ${t('requestId', { id: failure.requestId })}` : '';
    const [fault] = failure?.details ?? [];
    const said = fault ? sentences.ofField(fault.message) : failure ? sentences.ofCode(failure) : String(error);
    const what = isOutage(error) && failure?.status !== 429 ? t('commandOutage') : said;
    notifications.show({ color: 'red', title: t('refused'), message: what + id, autoClose: 10_000 });
  };
}
