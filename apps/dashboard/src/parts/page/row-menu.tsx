// The actions of a row that people need less often than the ones beside it.
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';

export interface RowAction {
  text: string;
  onClick: () => void;
}

/** A button with three dots that opens the list. `label` names the thing of the row. */
export const RowMenu = ({ label, actions }: { label: string; actions: readonly RowAction[] }) => (
  <Menu position="bottom-end" withinPortal keepMounted={false}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={label}>
        <Ellipsis size={16} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {actions.map(({ text, onClick }) => (
        <Menu.Item key={text} onClick={onClick}>
          {text}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
