import { guides } from 'virtual:guides';
import { createFileRoute } from '@tanstack/react-router';
import { GuidePage } from '../../../parts/docs/guide-page.tsx';

const index = guides.find(({ slug }) => slug === '')!;

export const Route = createFileRoute('/_app/docs/')({
  loader: () => index.load(),
  component: () => <GuidePage slug="" title={index.title} guide={Route.useLoaderData()} />,
});
