import { guides } from 'virtual:guides';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { GuidePage } from '../../../parts/docs/guide-page.tsx';
import { NotFoundPage } from '../../../parts/page/failed-page.tsx';

export const Route = createFileRoute('/_app/docs/$')({
  async loader({ params: { _splat } }) {
    const found = guides.find(({ slug }) => slug === _splat);
    if (found === undefined) throw notFound();
    return { slug: found.slug, title: found.title, guide: await found.load() };
  },
  notFoundComponent: NotFoundPage,
  component: () => <GuidePage {...Route.useLoaderData()} />,
});
