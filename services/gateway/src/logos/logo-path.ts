/** The path of a logo on every host. */
export const logoPath = (hash: string): string => `/logos/${hash}.png`;
