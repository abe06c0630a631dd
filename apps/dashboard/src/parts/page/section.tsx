import { Group, Paper, type PaperProps, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export interface SectionProps extends PaperProps {
  title: string;
  /** Stands beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page, in a frame, with a title. */
export function Section({ title, actions, children, ...rest }: SectionProps) {
  const id = useId();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} {...rest}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
