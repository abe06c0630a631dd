// The suites of `npm test`. They need nothing but this clone.
import { configOf } from './vitest.projects.ts';

export default configOf(['unit', 'int', 'e2e']);
