// Buttons that open a window: with a form, or with a question. The first pages do without.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { FailureAlert } from './page.tsx';

/** The size and look of a button in a row. Rows have buttons with the same text, so each also needs an `aria-label`. */
export const rowButton = { size: 'compact-sm', variant: 'default' } as const;

interface WindowButtonProps extends Omit<ButtonProps, 'children'> {
  /** The text of the button, and the title of the window unless `heading` is another one. */
  title: string;
  heading?: string;
  'aria-label'?: string;
  /** True: the address of the page asks for the window. */
  isAsked?: boolean;
  onClosed?: () => void;
  children: (close: () => void) => ReactNode;
}

export function WindowButton({
  title,
  heading = title,
  isAsked = false,
  onClosed,
  children,
  ...rest
}: WindowButtonProps) {
  const [opened, { open, close }] = useDisclosure(false, { onClose: onClosed });
  useEffect(() => {
    if (isAsked) open();
  }, [isAsked, open]);
  return (
    <>
      <Button {...rest} onClick={open}>
        {title}
      </Button>
      <Modal opened={opened} onClose={close} title={heading}>
        {children(close)}
      </Modal>
    </>
  );
}

interface Question {
  title: string;
  text: string;
  /** Does it. When it rejects, the window shows why and stays. */
  onConfirm: () => Promise<unknown>;
  /** The text of the button. Default: the title. */
  action?: string;
  danger?: boolean;
  /** False: the person must first do what `children` asks for. */
  mayConfirm?: boolean;
  /** Stands below the text. */
  children?: ReactNode;
}

type ConfirmButtonProps = Question & Omit<WindowButtonProps, keyof Question | 'heading'>;

/** A button that asks before something that cannot be taken back. Its text is the title of the window. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { title, text, onConfirm, action, danger, mayConfirm, children, ...rest } = props;
  return (
    <WindowButton title={title} {...rest}>
      {(close) => <Ask {...{ title, text, onConfirm, action, danger, mayConfirm, children }} onClose={close} />}
    </WindowButton>
  );
}

/** Asks the same way without a button of its own. */
export function Confirm({ opened, ...props }: Question & { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={props.title}>
      <Ask {...props} />
    </Modal>
  );
}

interface RowConfirmProps<Act extends string> extends Pick<Question, 'onConfirm' | 'children'> {
  /** Names the words: `remove`, `removeNamed`, which also names the thing of the row, and `removeText`, the question. */
  act: Act;
  t: (key: Act | `${Act}Named` | `${Act}Text`, values: Record<string, string>) => string;
  /** The values of the row in these words. */
  of: Record<string, string>;
}

/** A button in a row that asks before it takes away the thing of the row. */
export function RowConfirm<Act extends string>({ act, t, of, ...rest }: RowConfirmProps<Act>) {
  const words = { title: t(act, of), 'aria-label': t(`${act}Named`, of), text: t(`${act}Text`, of) };
  return <ConfirmButton {...rowButton} {...words} {...rest} danger />;
}

function Ask(props: Question & { onClose: () => void }) {
  const { title, text, onClose, onConfirm, action = title, danger = false, mayConfirm = true, children } = props;
  const t = useTranslations('window');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Stack>
      <Text size="md">{text}</Text>
      {children}
      {confirm.isError && <FailureAlert error={confirm.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
          {t('cancel')}
        </Button>
        <Button
          {...(danger && { color: 'red.9' })}
          data-autofocus={!danger || undefined}
          disabled={!mayConfirm}
          onClick={() => confirm.mutate()}
          loading={confirm.isPending}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
