// `npm run types`: writes the table of the pages.
import { writeRouteTree } from './route-tree.ts';

await writeRouteTree();
