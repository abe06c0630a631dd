// Passwords of the end-to-end tests. A hash of the product takes 40 ms of a core, and the tests sign in a thousand times.
import { createPasswords } from '@landfall/console';

export const quickPasswords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
