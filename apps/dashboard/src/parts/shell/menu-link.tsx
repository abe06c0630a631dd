import { NavLink } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link of a menu. Pages without a menu do not load it. */
export const MenuLink = createLink(NavLink<'a'>);
