// What can be done with one link of the list.
import { linkNameOf } from '@landfall/api-client/link-name';
import { ActionIcon, Menu, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import {
  Archive,
  ArchiveRestore,
  ChartLine,
  CopyPlus,
  Ellipsis,
  FlaskConical,
  Pencil,
  QrCode as QrIcon,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '../../../api/index.ts';
import { CopyLine } from '../../copy.tsx';
import { useArchive } from '../archive.tsx';
import { QrCode } from '../qr-code.tsx';
import type { ListedLink } from './view.ts';

interface RowMenuProps {
  appId: string;
  link: ListedLink;
}

/** A list has many of them, and few are opened: until then there is the button alone. */
export function RowMenu(props: RowMenuProps) {
  const [isUsed, use] = useState(false);
  const t = useTranslations('links');
  const label = t('actionsOf', { name: linkNameOf(props.link) });
  if (isUsed) return <UsedMenu {...props} label={label} />;
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} aria-haspopup="menu" onClick={() => use(true)}>
      <Ellipsis size={16} aria-hidden />
    </ActionIcon>
  );
}

function UsedMenu({ appId, link, label }: RowMenuProps & { label: string }) {
  const t = useTranslations('links');
  const words = useTranslations('link');
  const mayEdit = useMay('member');
  const [opened, { open, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const archive = useArchive(link.id);
  const isArchived = link.archivedAt !== null;
  const params = { appId, linkId: link.id };
  return (
    <>
      {/* The button that opened it is gone, so the focus goes to the one in its place. */}
      <Menu
        defaultOpened
        position="bottom-end"
        withinPortal
        keepMounted={false}
        returnFocus={false}
        onClose={() => button.current?.focus()}
      >
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" aria-label={label}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<QrIcon size={16} aria-hidden />} onClick={open}>
            {t('qrCode')}
          </Menu.Item>
          <Menu.Item
            leftSection={<ChartLine size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/apps/$appId/analytics" params={params} search={{ filter: [`link:${link.id}`] }} {...props} />
            )}
          >
            {words('analytics')}
          </Menu.Item>
          <Menu.Item
            leftSection={<FlaskConical size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/try" search={{ link: link.url }} {...props} />}
          >
            {words('try')}
          </Menu.Item>
          {mayEdit && (
            <>
              <Menu.Item
                leftSection={<Pencil size={16} aria-hidden />}
                renderRoot={(props) => <Link to="/apps/$appId/links/$linkId/edit" params={params} {...props} />}
              >
                {words('edit')}
              </Menu.Item>
              <Menu.Item
                leftSection={<CopyPlus size={16} aria-hidden />}
                renderRoot={(props) => (
                  <Link to="/apps/$appId/links/new" params={params} search={{ like: link.id }} {...props} />
                )}
              >
                {words('duplicate')}
              </Menu.Item>
              <Menu.Item
                leftSection={isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
                onClick={() => archive.mutate(!isArchived)}
              >
                {isArchived ? words('restore') : words('archive')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={close} title={linkNameOf(link)}>
        <Stack align="center">
          <QrCode url={link.url} name={link.name ?? ''} />
          <CopyLine value={link.url} label={words('copy')} />
        </Stack>
      </Modal>
    </>
  );
}
