import { Box, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { renderSVG } from 'uqr';
import { useTranslations } from 'use-intl';
import { client } from '../../api/index.ts';
import { CopyLine } from '../copy.tsx';
import { CommandForm, useCommandForm } from '../forms/form.tsx';
import { Loaded } from '../page/page.tsx';

const BEGUN = ['authenticator-app'];

interface AuthenticatorFormProps {
  onCodes: (codes: readonly string[] | null) => void;
  onClose: () => void;
}

/** Shows the secret for an authenticator app, and takes its first code. */
export function AuthenticatorForm(props: AuthenticatorFormProps) {
  // One secret for the window: a second one would not fit what the app has read.
  const query = useQuery({
    queryKey: BEGUN,
    queryFn: async () => (await client.POST('/api/manage/me/authenticator-app')).data!,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return <Loaded query={query}>{(begun) => <FirstCode {...begun} {...props} />}</Loaded>;
}

interface Begun {
  step: string;
  secret: string;
  url: string;
}

function FirstCode({ step, secret, url, onCodes, onClose }: Begun & AuthenticatorFormProps) {
  const t = useTranslations('secondFactor');
  const queries = useQueryClient();
  const form = useCommandForm(t, {
    initialValues: { code: '' },
    validate: { code: (value) => (/^\d{6}$/.test(value.replace(/\s/g, '')) ? null : t('codeMissing')) },
    send: ({ code }) => client.POST('/api/manage/me/authenticator-app/confirm', { body: { step, code } }),
    fields: { SECOND_FACTOR_WRONG: 'code' },
    sentences: { SECOND_FACTOR_WRONG: t('codeWrong') },
    // A refetch would make another secret, while the window is still there.
    meta: { refetch: false },
    onSuccess({ data }) {
      onClose();
      onCodes(data!.recoveryCodes);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== BEGUN });
    },
  });
  const image = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 3 }))}`;
  return (
    <Stack>
      <Text size="md">{t('scan')}</Text>
      {/* Scanners need the empty border in dark mode, too. */}
      <Box bdrs="md" style={{ overflow: 'hidden', alignSelf: 'center' }}>
        <img src={image} width={200} height={200} alt={t('qr')} style={{ display: 'block' }} />
      </Box>
      <Text>{t('orType')}</Text>
      <CopyLine value={secret.match(/.{1,4}/g)!.join(' ')} label={t('copySecret')} />
      <CommandForm form={form} submit={t('confirm')} noValidate>
        <TextInput
          inputMode="numeric"
          autoComplete="one-time-code"
          // The window is there before the secret is.
          autoFocus
          required
          maxLength={10}
          {...form.field('code')}
        />
      </CommandForm>
    </Stack>
  );
}
