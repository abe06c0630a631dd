// The parts of `react-native` and `react` that `index.ts` uses. Both are of the app, and are not installed here.
declare module 'react-native' {
  export const Linking: import('./shapes.ts').LinkingShape;
  export const Platform: import('./shapes.ts').PlatformShape;
}
declare module 'react' {
  export function useEffect(effect: () => undefined | (() => void), needs: readonly unknown[]): void;
  export function useRef<T>(value: T): { current: T };
}
