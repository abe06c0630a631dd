// All suites, for `npm run test:web`, `test:kafka` and `test:all`.
import { configOf, everyProject } from './vitest.projects.ts';

export default configOf(everyProject);
