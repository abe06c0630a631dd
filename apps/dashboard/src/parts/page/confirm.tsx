import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { FailureAlert } from './page.tsx';

interface ConfirmProps {
  title: string;
  text: string;
  opened: boolean;
  onClose: () => void;
  /** Does it. When it rejects, the window shows why and stays. */
  onConfirm: () => Promise<unknown>;
  /** The text of the button. Default: the title. */
  action?: string;
  danger?: boolean;
  /** Stands below the text. */
  children?: ReactNode;
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'opened' | 'onClose'>, Omit<ButtonProps, 'children'> {
  'aria-label'?: string;
}

/** A button that asks first. Its text is the title of the window. */
export function ConfirmButton({ title, text, onConfirm, action, danger, children, ...rest }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...rest} onClick={open}>
        {title}
      </Button>
      <Confirm {...{ title, text, opened, onConfirm, action, danger, children }} onClose={close} />
    </>
  );
}

/** Asks before something that cannot be taken back. */
export function Confirm({ opened, ...props }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={props.title}>
      <Question {...props} />
    </Modal>
  );
}

function Question(props: Omit<ConfirmProps, 'opened'>) {
  const { title, text, onClose, onConfirm, action = title, danger = false, children } = props;
  const t = useTranslations('window');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Stack>
      <Text>{text}</Text>
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
