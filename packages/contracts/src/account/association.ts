// The event of the regular checks of an app's association files.
import { z } from 'zod';
import { eventsOf } from '../define.ts';
import { instant, text, uuid } from '../fields.ts';

export const associationChecks = ['apple-file', 'google-file', 'apple-copy', 'google-copy'] as const;

export const AppAssociationChanged = eventsOf('console').publicEvent({
  name: 'AppAssociationChanged',
  description:
    'The regular check of an app found that phones no longer get an association file from one of its hosts, or that they get all of them again. Without these files, links do not open the app.',
  topic: 'app.association',
  data: z.object({
    appId: uuid().describe('The app.'),
    failing: z.boolean().describe('True: a file is missing or wrong. False: all files are well again.'),
    checkedAt: instant().describe('The time of the check.'),
    failed: z
      .array(
        z.object({
          check: z.enum(associationChecks).describe('The file.'),
          host: text(300).describe('The host.'),
          detail: text(1_000).describe('What was found, in a sentence.'),
        }),
      )
      .max(100)
      .describe('The checks that failed.'),
  }),
  key: (data) => data.appId,
});
