import { Badge } from '@mantine/core';

const COLORS: Record<string, string> = { GET: 'teal.9', DELETE: 'red.9' };

/** The method of an operation. */
export const Method = ({ name }: { name: string }) => <Badge color={COLORS[name] ?? 'indigo.8'}>{name}</Badge>;
