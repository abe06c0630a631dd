import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page with its title, also in the title of the tab, and its actions. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Landfall`;
  }, [title]);
}
