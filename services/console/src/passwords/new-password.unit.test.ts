import { expect, test } from 'vitest';
import { refusePassword } from './new-password.ts';

test.each(['password123', 'Password123', '1234567890', 'QWERTYUIOP', 'ｐａｓｓｗｏｒｄ１２３'])(
  '%s is common',
  async (typed) => {
    expect(await refusePassword(typed)).toBe('PASSWORD_COMMON');
  },
);

test.each(['', 'short', '123456789', 'cafe\u0301 cafe\u0301', '🔑🔑🔑🔑🔑🔑🔑🔑🔑'])(
  '%s is too short',
  async (typed) => {
    expect(await refusePassword(typed)).toBe('PASSWORD_TOO_SHORT');
  },
);

test.each(['correct horse battery', 'aaaaaaaaaaaaaaaaaaaaaaab', '🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑', '          '])(
  'no other rule stands against "%s"',
  async (typed) => {
    expect(await refusePassword(typed)).toBeNull();
  },
);
