// Mantine's links and buttons that go to a page of the app, with typed addresses.
import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

export const PageLink = createLink(Anchor<'a'>);

type LinkButtonProps = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;
export const PageButton = createLink((props: LinkButtonProps) => <Button component="a" {...props} />);
