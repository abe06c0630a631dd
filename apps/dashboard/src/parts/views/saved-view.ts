import type { View } from '@landfall/api-client';

export type SavedView = View;
/** The pages that have views. */
export type PageOfViews = View['page'];
