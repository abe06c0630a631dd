// Fields that several tools have.
import { cursor } from '@landfall/contracts';
import { z } from 'zod';

export const appId = () => z.uuid().describe('The id of the app: see `list_apps`.');

/** A list is read page by page. A model reads short pages better than long ones. */
export const page = {
  limit: z.int().min(1).max(100).default(20).describe('Rows per page.'),
  cursor: cursor().optional().describe('`next` of the previous page.'),
};
