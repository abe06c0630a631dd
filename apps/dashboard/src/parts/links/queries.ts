import { api } from '../../api/client.ts';

export const linkQuery = (linkId: string) =>
  api.queryOptions('get', '/api/manage/links/{linkId}', { params: { path: { linkId } } });
