import type { LimitCounter, WorkGate } from '@landfall/http';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { serveQr } from './serve-qr.ts';

it.each(['svg', 'png'] as const)('a code as %s that is kept keeps no other memory', async (format) => {
  const serve = serveQr({
    limits: { use: async () => ({ allowed: true }) } as unknown as LimitCounter,
    work: { run: async (_, work) => work() } as WorkGate,
    addressOf: () => ({ key: '192.0.2.1', site: null }),
  });
  const url = 'https://demo.example/1763737445000-abcdefghijkl';
  let sent: Buffer | undefined;
  const res = { locals: { headers: {} }, writeHead() {}, end: (body: Buffer) => (sent = body) };
  await serve({ url: '/', headers: {} } as Request, res as unknown as Response, { slug: 'a', url, logo: null }, format);
  expect(sent?.length).toBeGreaterThan(100);
  expect(sent?.buffer.byteLength).toBe(sent?.length);
});
