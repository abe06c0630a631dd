// The metrics of the console, except those that every HTTP server has.
import type { MetricDefinition } from '@landfall/runtime';

export const consoleMetricTable = {
  associationChecks: {
    name: 'landfall_association_checks_total',
    type: 'counter',
    labels: ['result'],
    help: 'Checks of the association files of an app by their result: ok, or failed when phones do not get a file.',
  },
} as const satisfies Record<string, MetricDefinition>;
