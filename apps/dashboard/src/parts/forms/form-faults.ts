import type { UseFormReturnType } from '@mantine/form';
import { ApiFailure } from '../../api/failure.ts';

/**
 * Shows the faults of an answer at the fields of a form. Returns false when a fault has no field, so that the form
 * shows it as a whole.
 * @param names the fields whose names differ from those of the API
 */
export function showFaults<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  error: unknown,
  names: Readonly<Record<string, keyof T & string>> = {},
): boolean {
  if (!(error instanceof ApiFailure) || error.details.length === 0) return false;
  const fields = form.getValues();
  const known = error.details.map(({ path, message }) => {
    // A fault in a list belongs to the list.
    const field = path.replace(/\.\d+$/, '');
    return [names[path] ?? names[field] ?? field, message] as const;
  });
  if (!known.every(([path]) => path in fields)) return false;
  for (const [path, message] of known) form.setFieldError(path, message);
  return true;
}
