// Builds the web app once before the suites, because a build takes longer than a hook may.
import { builtWebApp } from '@landfall/dashboard/build';

export default async function setup(): Promise<void> {
  await builtWebApp();
}
