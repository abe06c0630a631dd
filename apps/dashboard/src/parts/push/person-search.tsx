import { Button, Group, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface PersonSearchProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** The person whose devices are shown. */
  initial?: string;
  submit: string;
  /** Called with an empty text when the field is emptied, too. */
  onSearch: (email: string) => void;
  /** Other filters, beside the field. */
  children?: ReactNode;
}

/** A field that finds the devices of a person by their email. */
export function PersonSearch({ initial = '', submit, onSearch, children, ...rest }: PersonSearchProps) {
  const [text, setText] = useState(initial);
  useEffect(() => setText(initial), [initial]);
  return (
    <Group
      component="form"
      align="flex-end"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <TextInput
        type="search"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          if (value === '') onSearch('');
        }}
        {...rest}
      />
      {children}
      <Button type="submit" variant="default">
        {submit}
      </Button>
    </Group>
  );
}
