import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, enter, hasCode, meQuery } from '../api/index.ts';
import { CommandForm, useCommandForm } from '../parts/forms/form.tsx';
import { CommandButton, Loaded, OutsidePage } from '../parts/page/page.tsx';

export const Route = createFileRoute('/join')({ component: Join });

/** The tab keeps the code during a sign-in, also at a provider. In an address, the code would be part of a request. */
const KEPT = 'landfall-invitation';

/** Accepts an invitation with the one-time code in the fragment of the address, as oneself or as a new person. */
function Join() {
  const t = useTranslations('join');
  const [code] = useState(() => location.hash.slice(1) || (sessionStorage.getItem(KEPT) ?? ''));
  useEffect(() => {
    if (code !== '') sessionStorage.setItem(KEPT, code);
  }, [code]);
  const invitation = useQuery({
    queryKey: ['invitation', code],
    queryFn: async () => (await client.POST('/api/manage/invitations/look', { body: { code } })).data!,
    enabled: code !== '',
  });
  const me = useQuery({ ...meQuery(), retry: false });
  return (
    <OutsidePage title={t('title')} {...(code === '' && { intro: t('noCode') })}>
      {code !== '' && (
        <Loaded query={invitation}>
          {({ teamName, email, role }) => (
            <>
              <Text size="md">{t('invited', { teamName, email, role })}</Text>
              {me.data?.person ? (
                <Accept code={code} email={me.data.person.email} />
              ) : (
                <NewPerson code={code} email={email} />
              )}
              {hasCode(me.error, 'NOT_SIGNED_IN') && (
                <Anchor size="sm" href="/sign-in?to=%2Fjoin">
                  {t('haveAccount')}
                </Anchor>
              )}
            </>
          )}
        </Loaded>
      )}
    </OutsidePage>
  );
}

function Accept({ code, email }: { code: string; email: string }) {
  const t = useTranslations('join');
  const joined = useJoined();
  async function accept() {
    await client.POST('/api/manage/invitations/accept', { body: { code } });
    joined();
  }
  return <CommandButton command={accept}>{t('accept', { email })}</CommandButton>;
}

function NewPerson({ code, email }: { code: string; email: string }) {
  const t = useTranslations('join');
  const form = useCommandForm(t, {
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? t('nameMissing') : null),
      password: (value) => (value.length < 10 ? t('passwordShort') : null),
    },
    send: (values) => client.POST('/api/manage/invitations/join', { body: { code, ...values } }),
    onSuccess: useJoined(),
    meta: { refetch: false },
  });
  return (
    <CommandForm form={form} submit={t('submit')} noValidate>
      <TextInput label={t('email')} value={email} readOnly autoComplete="username" />
      <TextInput autoComplete="name" required {...form.field('name')} />
      <PasswordInput autoComplete="new-password" required {...form.field('password')} />
    </CommandForm>
  );
}

/** The code is spent. Returns a function that opens the app as the person who has joined. */
function useJoined(): () => void {
  const { queries } = Route.useRouteContext();
  return () => {
    sessionStorage.removeItem(KEPT);
    enter(queries);
  };
}
