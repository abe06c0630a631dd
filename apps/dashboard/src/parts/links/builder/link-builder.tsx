import type { Link } from '@landfall/api-client';
import { Box, Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { getHotkeyHandler, useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ApiFailure, useApp } from '../../../api/index.ts';
import { useCommandForm } from '../../forms/form.tsx';
import { type DraftOf, useDraft } from '../../forms/form-drafts.tsx';
import { FailureAlert } from '../../page/page.tsx';
import { QrCode } from '../qr-code.tsx';
import { readDestination } from '../values/destination.ts';
import { hostsOf, type LinkValues, placesOf, taken } from '../values/link-values.ts';
import { wrongKey } from '../values/metadata.ts';
import { DestinationField, SlugField, useSlugFault } from './address-fields.tsx';
import { MoreFields, TagsField } from './more-fields.tsx';
import { SocialPreview } from './social-fields.tsx';
import { type SlugState, useSlugState } from './use-slug-state.ts';
import { UtmFields } from './utm-fields.tsx';

interface LinkBuilderProps extends DraftOf<LinkValues> {
  /** The first values of the form, perhaps those of a draft. */
  initial: LinkValues;
  /** The stored values, or the form without any entry. */
  before: LinkValues;
  /** The link that is edited. */
  link?: Link;
  submit: string;
  /** Gets the values as they are sent. When it rejects, the form shows why, and the input stays. */
  store: (values: LinkValues) => Promise<Link>;
  onStored: (link: Link, values: LinkValues) => void;
  /** Stands beside the button that sends. */
  actions?: ReactNode;
  /** A way out of a refusal, below it. */
  wayOut?: (error: unknown) => ReactNode;
}

/** The form of a link, with its address, its QR code and its preview beside it. What is entered is a draft at once. */
export function LinkBuilder(props: LinkBuilderProps) {
  const { initial, before, link, drafts, draft, onDraft, submit, store, onStored, actions, wayOut } = props;
  const t = useTranslations('linkBuilder');
  const app = useApp();
  const places = placesOf(app);
  const [host, setHost] = useHost();
  const slugFault = useSlugFault();
  const form = useCommandForm(t, {
    initialValues: initial,
    validate: {
      destination: (value) => {
        const read = readDestination(value, places);
        return 'fault' in read ? t(`faults.${read.fault}`) : null;
      },
      slug: (slug) => (link === undefined ? slugFault(slug.trim()) : null),
      metadata: (pairs) => {
        const key = wrongKey(pairs);
        return key === null ? null : key === '' ? t('keyMissing') : t('keyTwice', { key });
      },
    },
    send: async (entered) => {
      // A field that nobody edited stays as it is, with its spaces.
      const values = entered.destination === before.destination ? entered : taken(entered, places);
      return { link: await store(values), values };
    },
    fields: { SLUG_TAKEN: 'slug' },
    sentences: { SLUG_TAKEN: t('slugTaken') },
    onSuccess({ link, values }) {
      endDraft();
      onStored(link, values);
    },
  });
  const { values } = form;
  const { isSuccess, isIdle, isError } = form.command;
  const of = link?.id ?? 'new';
  const endDraft = useDraft({ drafts, draft, onDraft, of, initial, before, values, isSent: isSuccess });

  const failure = form.command.failureReason;
  const suggestions = failure instanceof ApiFailure ? failure.suggestions : [];
  const address = addressOf(link?.slug ?? values.slug, host);
  const slugState = useSlugState(values.slug.trim(), link === undefined && (isIdle || isError));
  return (
    <form
      onSubmit={form.submit}
      noValidate
      onKeyDown={getHotkeyHandler([['mod+Enter', () => form.submit()]])}
      aria-label={submit}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <DestinationField form={form} stored={link && before.destination} />
            <TextInput maxLength={100} {...form.field('name')} />
            {link === undefined ? (
              <SlugField
                form={form}
                host={host}
                onHost={setHost}
                state={slugState}
                suggestions={form.errors.slug ? suggestions : []}
              />
            ) : (
              <Text>{t('slugStays', { slug: link.slug })}</Text>
            )}
            <UtmFields form={form} />
            <TagsField form={form} />
            <MoreFields form={form} />
            {form.command.error !== null && <FailureAlert error={form.command.error} />}
            {form.command.error !== null && wayOut?.(form.command.error)}
            {/* In sight, however long the form is. */}
            <Group pos="sticky" bottom={0} py="xs" bg="var(--mantine-color-body)" style={{ zIndex: 1 }}>
              <Button type="submit" loading={form.command.isPending}>
                {submit}
              </Button>
              {actions}
            </Group>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack pos="sticky" top={68}>
            <Address
              address={address}
              host={host}
              name={values.name}
              isMade={link !== undefined}
              state={link === undefined ? slugState : 'free'}
            />
            <div>
              <Text fw={600}>{t('preview')}</Text>
              <SocialPreview metadata={values.metadata} />
            </div>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

interface AddressProps {
  /** Null: Landfall makes it. */
  address: string | null;
  host: string;
  name: string;
  isMade: boolean;
  state: SlugState;
}

/** The address with its QR code. Nobody shall copy or scan one that the link may not get. */
function Address({ address, host, name, isMade, state }: AddressProps) {
  const t = useTranslations('linkBuilder');
  const isRefused = state === 'invalid' || state === 'taken';
  return (
    <>
      <div>
        <Text fw={600}>{t('address')}</Text>
        <Text style={{ overflowWrap: 'anywhere' }} {...((isRefused || state === 'typed') && { c: 'dimmed' })}>
          {address ?? t('addressLater', { host })}
          {isRefused && ` (${t(`addressStates.${state}`)})`}
        </Text>
      </div>
      {address !== null && !isRefused && (
        <Box opacity={state === 'typed' ? 0.1 : 1} inert={state === 'typed'}>
          <QrCode url={address} name={name} isMade={isMade} isSide />
        </Box>
      )}
    </>
  );
}

/** The host that this browser shows in addresses. All hosts of an app serve all of its links. */
export function useHost() {
  const app = useApp();
  const hosts = hostsOf(app);
  const [chosen, setHost] = useLocalStorage({
    key: `landfall-link-host-${app.id}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [hosts.includes(chosen) ? chosen : app.linkHost, setHost] as const;
}

/** Null: Landfall makes the slug. */
const addressOf = (slug: string, host: string): string | null =>
  slug.trim() === '' ? null : `${location.protocol}//${host}/${slug.trim()}`;
