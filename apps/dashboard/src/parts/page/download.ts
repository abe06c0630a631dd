/** Milliseconds within which a browser has read a file that it saves. */
const SAVED_MS = 60_000;

/** Saves a file that the page has made. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}
