import code from 'virtual:set-up-code';
import { Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { client, useApp, useMay } from '../../api/index.ts';
import { CopyBlock } from '../copy.tsx';
import { CommandButton, Section } from '../page/page.tsx';
import { fill, PLATFORMS, type SetUpPlatform, VARIANTS, type Variant } from './platforms.ts';

interface Chosen {
  platform?: SetUpPlatform;
  variant?: Variant;
}

/** The code to copy for each platform, with the address, the hosts and a key of this app. */
export function SetUpCode({ platform = 'ios', variant, onChoose }: Chosen & { onChoose: (chosen: Chosen) => void }) {
  const t = useTranslations('setUpApp');
  const { id: appId, linkHost, openHost, name } = useApp();
  const mayMakeKey = useMay('admin');
  const variants: readonly Variant[] = VARIANTS[platform];
  const shown = variants.find((one) => one === variant) ?? variants[0]!;
  const kind = platform === 'server' ? 'server' : 'mobile';
  const [made, setMade] = useState<{ kind: string; plaintext: string }>();
  async function makeKey() {
    const answer = await client.POST('/api/manage/apps/{appId}/keys', {
      params: { path: { appId } },
      body: { kind, label: t('keyLabel', { platform: t(`platforms.${platform}`) }) },
    });
    setMade({ kind, plaintext: answer.data!.plaintext });
    return answer;
  }
  const key = made?.kind === kind ? made.plaintext : 'YOUR_KEY';
  const plain = (host: string) => host.replace(/:\d+$/, '');
  const values = { api: location.origin, key, linkHost: plain(linkHost), openHost: plain(openHost) };
  return (
    <Section title={t('code')}>
      <Text size="md">{t('codeText', { name })}</Text>
      <Tabs
        value={platform}
        keepMounted={false}
        onChange={(value) => value && onChoose({ platform: value as SetUpPlatform })}
      >
        <Tabs.List>
          {PLATFORMS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`platforms.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {PLATFORMS.map((one) => (
          <Tabs.Panel key={one} value={one} pt="md">
            <Stack>
              {variants.length > 1 && (
                <SegmentedControl
                  aria-label={t('variant')}
                  style={{ alignSelf: 'flex-start' }}
                  value={shown}
                  onChange={(value) => onChoose({ platform, variant: value as Variant })}
                  data={variants.map((value) => ({ value, label: t(`variants.${value}`) }))}
                />
              )}
              <Text>{t(`get.${one}`)}</Text>
              {one !== 'web' && (
                <Group gap="sm">
                  <Text>{key === 'YOUR_KEY' ? t('noKey', { kind }) : t('withKey')}</Text>
                  {mayMakeKey && key === 'YOUR_KEY' && (
                    <CommandButton size="compact-sm" command={makeKey}>
                      {t('makeKey', { kind })}
                    </CommandButton>
                  )}
                </Group>
              )}
              {code[shown].map(({ step, code: text }) => (
                <div key={step}>
                  <Text fw={600} mb={4}>
                    {t(`steps.${step}`)}
                  </Text>
                  <CopyBlock value={fill(text, values)} label={t('copy', { step: t(`steps.${step}`) })} />
                </div>
              ))}
              {kind === 'mobile' && <Text>{t(one === 'web' ? 'tryPage' : 'tryApp')}</Text>}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
