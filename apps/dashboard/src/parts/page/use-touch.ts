import { useMediaQuery } from '@mantine/hooks';

/** True on a phone or tablet, which has no keys at hand. */
export const useTouch = (): boolean =>
  useMediaQuery('(pointer: coarse), (max-width: 48em)', false, { getInitialValueInEffect: false });
