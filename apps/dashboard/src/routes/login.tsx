import { createFileRoute, redirect } from '@tanstack/react-router';

/** People type this address, so it leads to the sign-in. */
export const Route = createFileRoute('/login')({
  beforeLoad() {
    throw redirect({ to: '/sign-in', search: {}, replace: true });
  },
});
