import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeGathered } from '@landfall/http';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { serveWebApp } from './serve-web-app.ts';

it('the page of a build loads itself again by its script, which its policy allows', async () => {
  const app = express();
  writeGathered(app);
  app.use((_req, res, next) => {
    res.locals.headers = {};
    next();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.use(serveWebApp({ find: () => ({ state: 'building' }) }, url, async () => []));
  const answer = await fetch(`${url}/setup`, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(503);
  const script = /<script>(.*)<\/script>/.exec(await answer.text())![1]!;
  expect(script).toContain('location.reload()');
  const hash = createHash('sha256').update(script).digest('base64');
  expect(answer.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
  // It would only scroll where the address has a fragment, as that of the set-up has.
  expect(answer.headers.get('refresh')).toBeNull();
});
