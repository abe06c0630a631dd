import type { App, paths } from '@landfall/api-client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { appQuery, appsQuery } from '../../api/apps.ts';
import { client } from '../../api/client.ts';
import { changesOf } from '../forms/changes.ts';

type Change = paths['/api/manage/apps/{appId}']['patch']['requestBody']['content']['application/json'];

interface Saving<Values> {
  before: Values;
  changeOf: (values: Values) => Change;
  said: string;
  onError: (error: Error) => void;
}

/** Returns a function that asks for an app anew, and for the list of apps. */
export function useRenewApp({ id }: App): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all([queries.invalidateQueries(appQuery(id)), queries.invalidateQueries(appsQuery())]);
}

/**
 * Saves what a person changed in a part of the settings of an app, unless somebody else was faster.
 * @param before the values that the form began with
 * @param said what a person reads afterwards
 */
export function useSaveApp<Values>(app: App, { before, changeOf, said, onError }: Saving<Values>) {
  const renew = useRenewApp(app);
  return useMutation({
    mutationFn: (values: Values) =>
      client.PATCH('/api/manage/apps/{appId}', {
        params: { path: { appId: app.id }, header: { 'If-Match': `"${app.version}"` } },
        body: changesOf(changeOf(before), changeOf(values)),
      }),
    async onSuccess() {
      notifications.show({ message: said });
      await renew();
    },
    onError,
  });
}

/** An empty field is none. */
export const orNull = (text: string): string | null => text.trim() || null;
