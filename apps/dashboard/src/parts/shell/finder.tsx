// A field with the list of what it finds. Arrows choose, Enter opens. The focus stays in the field.
import { Box, Highlight, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useState } from 'react';
import classes from './shell.module.css';

export interface FoundItem {
  /** Differs from that of every other item. */
  id: string;
  label: string;
  detail?: ReactNode;
  /** A path of the web app. */
  href: string;
  /** The page is opened for what this text finds. */
  searched?: string;
}

export interface FoundGroup {
  name: string;
  items: readonly FoundItem[];
}

interface FinderProps {
  label: string;
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly FoundGroup[];
  /** What a person who sees no list is told about it. */
  status: string;
  /** Stands between the field and the list. */
  children?: ReactNode;
  onChoose: (item: FoundItem) => void;
}

export function Finder({ label, placeholder, text, onText, groups, status, children, onChoose }: FinderProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const items = groups.flatMap(({ items }) => items);
  const place = Math.max(
    0,
    items.findIndex((item) => item.id === chosen),
  );
  const current = items[place];
  // A space would end the id.
  const idOf = (itemId: string) => `${id}-${itemId.replace(/\W/g, '_')}`;
  useEffect(() => {
    // Only after a key: at the beginning the list stands at its top.
    if (chosen !== null)
      document.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  function onKeyDown(event: KeyboardEvent): void {
    // While a word is composed, Enter and the arrows belong to its composition.
    if (event.nativeEvent.isComposing || items.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen(items[(place + step + items.length) % items.length]!.id);
    }
    if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault();
      onChoose(current);
    }
  }

  function open(event: MouseEvent, item: FoundItem): void {
    // The browser opens it in another tab.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(item);
  }

  const words = text.split(/\s+/).filter((word) => word !== '');
  return (
    <>
      <TextInput
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current && idOf(current.id)}
        placeholder={placeholder ?? label}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setChosen(null);
          onText(value);
        }}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        data-autofocus
      />
      <VisuallyHidden role="status">{status}</VisuallyHidden>
      {children}

      <Box
        id={`${id}-list`}
        className={classes.list}
        {...(items.length > 0 && { role: 'listbox', 'aria-label': label })}
      >
        {groups.map(
          ({ name, items }) =>
            items.length > 0 && (
              <Box key={name} role="group" aria-label={name}>
                <Text size="xs" fw={600} c="dimmed" px="xs" pt="xs" aria-hidden>
                  {name}
                </Text>
                {items.map((item) => (
                  <a
                    key={item.id}
                    id={idOf(item.id)}
                    role="option"
                    aria-selected={item === current}
                    tabIndex={-1}
                    href={item.href}
                    className={classes.option}
                    onClick={(event) => open(event, item)}
                  >
                    <Highlight component="span" highlight={words} display="block" dir="auto">
                      {item.label}
                    </Highlight>
                    {item.detail && <span className={classes.detail}>{item.detail}</span>}
                  </a>
                ))}
              </Box>
            ),
        )}
      </Box>
    </>
  );
}
