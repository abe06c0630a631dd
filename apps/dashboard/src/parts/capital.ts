/** Begins a text with a capital: a reason of the API also stands within sentences. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
