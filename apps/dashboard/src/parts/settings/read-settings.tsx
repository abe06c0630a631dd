// The settings of an app for those who may not change them: as text.
import type { App } from '@landfall/api-client';
import { Image, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useApp } from '../../api/index.ts';
import { Facts } from '../page/data-table.tsx';
import { Section } from '../page/page.tsx';

export function ReadSettings() {
  const t = useTranslations('settings');
  const branding = useTranslations('branding');
  const identity = useTranslations('identity');
  const app = useApp();
  const textOf = (value: string | boolean | readonly string[] | null) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return (typeof value === 'string' ? value : value?.join(', ')) || t('none');
  };
  const ofApp = (['name', 'subdomain', 'timeZone', 'webFallbackUrl', 'labels', 'publishedParameters'] as const).map(
    (name) => [t(name), textOf(app[name])],
  );
  const switches = (['publicTry', 'clipboard'] as const).map((name) => [t(name), textOf(app[name])]);
  const ios = (['bundleId', 'teamId', 'storeId', 'appClipBundleId'] as const).map((name) => [
    t(`ios.${name}`),
    textOf(app.ios[name]),
  ]);
  const android = (['package', 'certificates'] as const).map((name) => [
    t(`android.${name}`),
    textOf(app.android[name]),
  ]);
  const social = (['title', 'description', 'imageUrl'] as const).map((name) => [
    branding(`social.${name}`),
    textOf(app.social[name]),
  ]);
  return (
    <>
      <Text size="md">{t('readOnly')}</Text>
      <Part id="app" title={t('app')} facts={[...ofApp, ...switches]} />
      <Part id="iosPart" title={t('partNames.iosPart')} facts={ios} />
      <Part id="androidPart" title={t('partNames.androidPart')} facts={android} />
      <Part id="branding" title={branding('title')} facts={[...looks(app, branding, textOf), ...social]} />
      <Part id="identity" title={identity('title')} facts={[[identity('mode'), identity(`modes.${app.identity}`)]]} />
    </>
  );
}

const looks = (
  { branding: { logo, color, sentence } }: App,
  t: ReturnType<typeof useTranslations<'branding'>>,
  textOf: (value: string | null) => string,
) => [
  [t('logo'), logo === null ? t('noLogo') : <Image key="logo" src={`/logos/${logo}.png`} alt="" w={64} h={64} />],
  [t('branding.color'), textOf(color)],
  [t('branding.sentence'), textOf(sentence)],
];

function Part({ id, title, facts }: { id: string; title: string; facts: React.ReactNode[][] }) {
  return (
    <div id={id}>
      <Section title={title}>
        <Facts width="40%" of={Object.fromEntries(facts as [string, React.ReactNode][])} />
      </Section>
    </div>
  );
}
