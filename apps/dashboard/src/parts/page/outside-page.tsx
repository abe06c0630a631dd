import { Center, Container, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../icon.svg';
import { useTitle } from './page.tsx';

/** A page before sign-in: one card in the middle. */
export function OutsidePage({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  useTitle(title);
  return (
    <Center component="main" mih="100vh" p="md">
      <Container size={520} w="100%" p={0}>
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
    </Center>
  );
}
