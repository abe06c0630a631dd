import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { FailureAlert } from './failure-alert.tsx';

export interface ConfirmProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Does it. When it rejects, the window shows why and stays. */
  onConfirm: () => Promise<unknown>;
  /** The text of the button. Default: the title. */
  action?: string;
  danger?: boolean;
  children: ReactNode;
}

export interface ConfirmButtonProps extends Omit<ConfirmProps, 'opened' | 'onClose'>, Omit<ButtonProps, 'children'> {
  'aria-label'?: string;
}

/** A button that asks first. Its text is the title of the window. */
export function ConfirmButton({ title, onConfirm, action, danger, children, ...rest }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...rest} onClick={open}>
        {title}
      </Button>
      <Confirm {...{ title, opened, onConfirm, action, danger }} onClose={close}>
        {children}
      </Confirm>
    </>
  );
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, opened, onClose, ...rest }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Question title={title} onClose={onClose} {...rest} />
    </Modal>
  );
}

function Question({ title, onClose, onConfirm, action = title, danger, children }: Omit<ConfirmProps, 'opened'>) {
  const t = useTranslations('window');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Stack>
      {children}
      {confirm.isError && <FailureAlert error={confirm.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
          {t('cancel')}
        </Button>
        <Button
          {...(danger && { color: 'red.9' })}
          data-autofocus={!danger || undefined}
          onClick={() => confirm.mutate()}
          loading={confirm.isPending}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
