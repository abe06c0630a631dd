import { createFileRoute, redirect } from '@tanstack/react-router';

/** People shorten addresses. The first page opens the app that was seen last. */
export const Route = createFileRoute('/_app/apps/')({
  beforeLoad() {
    throw redirect({ to: '/', replace: true });
  },
});
