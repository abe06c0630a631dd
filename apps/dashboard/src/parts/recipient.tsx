import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureAlert } from './page/page.tsx';

interface ConfirmedButtonProps {
  command: { mutate: () => void; isPending: boolean; error: unknown };
  disabled: boolean;
  children: ReactNode;
}

/** What a recipient of emails does with one click. Looking at the address does nothing: programs look at it, too. */
export const ConfirmedButton = ({ command: { mutate, isPending, error }, ...rest }: ConfirmedButtonProps) => (
  <>
    <Button onClick={() => mutate()} loading={isPending} {...rest} />
    {error !== null && <FailureAlert error={error} />}
  </>
);
