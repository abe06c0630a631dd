// The built web app: where its files are, and whether they are there yet.

export type WebApp = {
  /** Returns the folder of the built files, or why there is none. */
  find(): { state: 'built'; folder: string } | { state: 'building' | 'failed' };
};

export const builtIn = (folder: string): WebApp => ({ find: () => ({ state: 'built', folder }) });
