/** Returns the object that the text is as JSON, an empty object for no text, or null for anything else. */
export function objectOf(text: string): Record<string, never> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, never>)
      : null;
  } catch {
    return null;
  }
}
