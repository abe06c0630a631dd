import { ActionIcon, Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Check, CopyIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

/** Under http, browsers let a page copy only on localhost. The text can be selected there. */
export const MAY_COPY = window.isSecureContext;

export function Copy({ value, label }: { value: string; label: string }) {
  const t = useTranslations('copy');
  if (!MAY_COPY) return null;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={copy}
          aria-label={copied ? t('copied') : label}
          title={copied ? t('copied') : label}
        >
          {copied ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

export function CopyLine({ value, label }: { value: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Code>
      <Copy value={value} label={label} />
    </Group>
  );
}

export function CopyBlock({ value, label }: { value: string; label: string }) {
  return (
    <div>
      {/* Long lines are broken: on a phone nothing is out of sight. */}
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {value}
      </Code>
      <CopyBelow value={value} label={label} />
    </div>
  );
}

/** The button below a block of code. */
export function CopyBelow({ value, label }: { value: string; label: string }) {
  const t = useTranslations('copy');
  if (!MAY_COPY) return null;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          mt={6}
          onClick={copy}
          leftSection={copied ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
        >
          {copied ? t('copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

interface ShownOnceProps {
  value: string;
  /** The texts of its kind. The button that closes is called `saved`. */
  t: (key: 'once' | 'onceText' | 'copy' | 'saved') => string;
  /** Stands above the value. */
  about?: string;
  /** Stands below the value. */
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that was just made. It is shown until the person closes the window. */
export function ShownOnce({ value, t, about, children, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Alert color="yellow" role="status" title={t('once')}>
        {t('onceText')}
      </Alert>
      {about !== undefined && <Text fw={600}>{about}</Text>}
      <CopyLine value={value} label={t('copy')} />
      {children}
      <Button onClick={onClose}>{t('saved')}</Button>
    </Stack>
  );
}
