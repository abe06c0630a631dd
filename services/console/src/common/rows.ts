import { ApiError, type ErrorCode } from '@landfall/http';

/** Resolves with the row. @throws ApiError with the code when there is none */
export async function found<T>(row: Promise<T | null>, code: ErrorCode): Promise<T> {
  const known = await row;
  if (known === null) throw new ApiError(code);
  return known;
}

/** Returns the settings with the fields that a body gives. A field that is undefined does not change. */
export const changed = <T extends object>(before: T, body: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...before,
  ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
});
