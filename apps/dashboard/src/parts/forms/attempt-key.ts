import { bytesToHex } from '@noble/hashes/utils.js';
import { useRef } from 'react';

/** The idempotency key of an input. A second attempt after a lost answer finds by it what the first made. */
export function useAttemptKey(): (input: unknown) => string {
  const attempt = useRef({ input: '', key: '' });
  return (input) => {
    const text = JSON.stringify(input);
    if (attempt.current.input !== text) attempt.current = { input: text, key: randomKey() };
    return attempt.current.key;
  };
}

/** 128 bits. `crypto.randomUUID` exists only under https and on localhost. */
const randomKey = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));
