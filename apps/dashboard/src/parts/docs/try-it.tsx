import { Alert, Button, Code, Group, JsonInput, PasswordInput, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { credentials } from '../../api/index.ts';
import { CopyBlock } from '../copy.tsx';
import { Section } from '../page/page.tsx';
import { accessOf, type Operation, placeOf, type Reference, requestOf } from './reference.ts';
import { CODE, CODE_LANGUAGES, type CodeLanguage } from './request-code.ts';

export function TryIt({ reference, operation }: { reference: Reference; operation: Operation }) {
  const t = useTranslations('docs');
  const access = accessOf(operation);
  const kind = access === 'key' ? 'key' : 'token';
  const [secret, setSecret] = useState(credentials[kind]);
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() =>
    JSON.stringify(operation.requestBody?.content['application/json']?.example, null, 2),
  );
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  // People use their session. A page of ours sends this header with it.
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== SAME_SITE);
  const request = requestOf(reference, operation, { values, body, secret });
  const send = useMutation({ mutationFn: () => sent(request, secret === '') });
  const missing = parameters.filter((one) => one.required && !values[placeOf(one)]?.trim());
  return (
    <Section title={t('request')}>
      {(access === 'key' || access === 'token') && (
        <PasswordInput
          label={t(`secret.${kind}`)}
          description={t(`secretHelp.${kind}`)}
          value={secret}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => {
            setSecret(value.trim());
            credentials[kind] = value.trim();
          }}
        />
      )}
      {parameters.map((parameter) => (
        <TextInput
          key={placeOf(parameter)}
          label={parameter.name}
          description={t(`places.${parameter.in}`)}
          required={parameter.required ?? false}
          value={values[placeOf(parameter)] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setValues((before) => ({ ...before, [placeOf(parameter)]: value }))
          }
        />
      ))}
      {operation.requestBody && (
        <JsonInput
          label={t('body')}
          value={body}
          onChange={setBody}
          validationError={t('noJson')}
          autosize
          minRows={3}
          maxRows={24}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
      )}
      <Tabs value={language} onChange={(value) => value && setLanguage(value as CodeLanguage)} keepMounted={false}>
        <Tabs.List>
          {CODE_LANGUAGES.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`languages.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {CODE_LANGUAGES.map((one) => (
          <Tabs.Panel key={one} value={one} pt="sm">
            <CopyBlock value={CODE[one](request)} label={t('copy', { language: t(`languages.${one}`) })} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Group gap="sm">
        <Button onClick={() => send.mutate()} loading={send.isPending} disabled={missing.length > 0}>
          {t('send')}
        </Button>
        <Text>
          {missing.length > 0 ? t('missing', { names: missing.map(({ name }) => name).join(', ') }) : t('sendHelp')}
        </Text>
      </Group>
      {send.isError && (
        <Alert color="red" title={t('notSent')} role="alert">
          {t('notSentText')}
        </Alert>
      )}
      {send.data && (
        <Stack gap={4} aria-live="polite">
          <Text fw={600}>{t('answered', { status: send.data.status, milliseconds: send.data.milliseconds })}</Text>
          <Code block tabIndex={0} role="region" aria-label={t('answer')} mah={420}>
            {send.data.text}
          </Code>
        </Stack>
      )}
    </Section>
  );
}

const SAME_SITE = 'x-landfall';

/** Characters of an answer that are shown. */
const MAX_SHOWN = 50_000;

/** Sends the request to the host of this page. */
async function sent({ method, url, headers, body }: ReturnType<typeof requestOf>, asPerson: boolean) {
  const { pathname, search } = new URL(url);
  const { authorization, ...others } = headers;
  const begun = performance.now();
  const response = await fetch(pathname + search, {
    method,
    headers: { ...(asPerson ? others : headers), [SAME_SITE]: '1' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - begun),
    text: pretty(text).slice(0, MAX_SHOWN),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
