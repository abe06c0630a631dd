// The menu of the pages, in groups. It is the same on every page.
import { Box, Skeleton, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { MenuLink } from './menu-link.tsx';
import { isExact, type MenuGroup } from './navigation.ts';

/** Without groups, it shows their place. */
export function Menu({ groups, appId }: { groups: readonly MenuGroup[] | undefined; appId: string | undefined }) {
  if (groups === undefined)
    return (
      <Stack gap="sm" p="xs" aria-busy>
        {Array.from({ length: 12 }, (_, row) => (
          <Skeleton key={row} height={20} />
        ))}
      </Stack>
    );
  return groups.map((group) => <Group key={group.name} group={group} appId={appId} />);
}

function Group({ group: { name, pages }, appId }: { group: MenuGroup; appId: string | undefined }) {
  const t = useTranslations('shell');
  const id = useId();
  return (
    <Box mb="sm" {...(name !== null && { role: 'group', 'aria-labelledby': id })}>
      {name !== null && (
        <Text id={id} size="xs" fw={600} c="dimmed" px="sm" pb={2}>
          {t(name)}
        </Text>
      )}
      {pages.map((page) => (
        <MenuLink
          key={page.to}
          to={page.to}
          params={{ appId }}
          activeOptions={{ exact: isExact(page) }}
          label={t(page.name)}
          leftSection={<page.icon size={18} aria-hidden />}
        />
      ))}
    </Box>
  );
}
