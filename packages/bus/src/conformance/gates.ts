export function gate(): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, opened: promise };
}

/** `first` resolves with the first values. */
export function collector<T>(): { add: (...items: T[]) => void; seen: T[]; first: (count: number) => Promise<T[]> } {
  const seen: T[] = [];
  let waiting: (() => void)[] = [];
  return {
    seen,
    add(...items) {
      seen.push(...items);
      for (const check of waiting) check();
    },
    first: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (seen.length < count) return;
          waiting = waiting.filter((other) => other !== check);
          resolve(seen.slice(0, count));
        };
        waiting.push(check);
        check();
      }),
  };
}

export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`it resolved with ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
