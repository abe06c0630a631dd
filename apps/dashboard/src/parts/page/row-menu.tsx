// The actions of a row that people need less often than the ones beside it.
import { ActionIcon, type ActionIconProps, Menu, Modal } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Confirm } from './buttons.tsx';

interface Act {
  text: string;
  onClick: () => void;
}

/** It opens a window with this content. */
interface Open {
  text: string;
  content: (close: () => void) => ReactNode;
}

/** It asks before it takes away the thing of the row. */
interface Ask {
  text: string;
  question: string;
  onConfirm: () => Promise<unknown>;
}

interface RowMenuProps extends Pick<ActionIconProps, 'variant' | 'size'> {
  /** Names the thing of the row. */
  label: string;
  actions: readonly (Act | Open | Ask)[];
}

/** A button with three dots that opens the list. */
export function RowMenu({ label, actions, variant = 'subtle', size }: RowMenuProps) {
  const [opened, open] = useState<string | null>(null);
  const close = () => open(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal keepMounted={false}>
        <Menu.Target>
          <ActionIcon variant={variant} size={size} color="gray" aria-label={label}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item key={action.text} onClick={'onClick' in action ? action.onClick : () => open(action.text)}>
              {action.text}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {actions.map((action) => {
        const window = { opened: opened === action.text, onClose: close, title: action.text };
        if ('content' in action)
          return (
            <Modal key={action.text} {...window}>
              {action.content(close)}
            </Modal>
          );
        return (
          'question' in action && (
            <Confirm key={action.text} {...window} text={action.question} onConfirm={action.onConfirm} danger />
          )
        );
      })}
    </>
  );
}
