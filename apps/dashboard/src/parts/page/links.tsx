// Links and buttons that lead to a page of the app, with typed addresses, or to a file.
import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';
import { useTranslations } from 'use-intl';

export const PageLink = createLink(Anchor<'a'>);

type LinkButtonProps = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;
export const PageButton = createLink((props: LinkButtonProps) => <Button component="a" {...props} />);

/** Downloads what the page shows. */
export function CsvButton({ href, text }: { href: string; text?: string }) {
  const t = useTranslations('window');
  return (
    <Button component="a" variant="default" leftSection={<Download size={16} aria-hidden />} href={href}>
      {text ?? t('csv')}
    </Button>
  );
}
