import { Container, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../icon.svg';
import { useTitle } from './page.tsx';

/** A page before sign-in: one card. It grows downwards while it loads, so that nothing moves. */
export function OutsidePage({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main>
      <Container size={520} px="md" pt="12vh" pb="md">
        <Group gap="xs" mb="md">
          <Image src={icon} w={28} h={28} alt="" />
          <Text fw={600}>Landfall</Text>
        </Group>
        <Paper withBorder p="lg" radius="md">
          <Stack>
            <Title order={1} size="h3">
              {title}
            </Title>
            {intro && <Text>{intro}</Text>}
            {children}
          </Stack>
        </Paper>
      </Container>
    </main>
  );
}
