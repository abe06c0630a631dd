/** How a rate is written. Each has one decimal, so that the rates of a column stand under each other. */
export const RATE = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
