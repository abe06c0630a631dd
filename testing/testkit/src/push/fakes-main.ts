// The fakes as a process: prints where they are as one line of JSON, and runs until its input ends.
//   node testing/testkit/src/push/fakes-main.ts '{"fcm":{"latencyMs":40},"apns":{"goAwayEveryMs":10000}}'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FakesCounts, type FakesLine, startFakes } from './fakes.ts';

const fakes = await startFakes(JSON.parse(process.argv[2] ?? '{}'));
const { fcm, apns, ca } = fakes;
const folder = mkdtempSync(path.join(tmpdir(), 'landfall-fakes-'));
const caFile = path.join(folder, 'ca.pem');
writeFileSync(caFile, ca);

const counts = (): FakesCounts => ({
  fcm: fcm.received.counts(),
  apns: apns.received.counts(),
  asked: { fcm: fcm.asked(), apns: apns.asked() },
  mints: fcm.mints(),
});

// biome-ignore lint/suspicious/noExplicitAny: each takes what its caller in fakes.ts gives
const answers: Record<string, (body: any) => unknown> = {
  '/counts': counts,
  '/received/fcm': () => fcm.received.all,
  '/received/apns': () => apns.received.all,
  '/message/fcm': ({ token }) => ({ message: fcm.messageTo(token) }),
  '/message/apns': ({ token }) => ({ message: apns.messageTo(token) }),
  '/forget-apple-keys': () => apns.forgetKeys(),
  '/spoil-tokens'({ count }) {
    fcm.forgetTokens();
    fcm.spoilTokens(count);
  },
  '/clear'() {
    fcm.received.clear();
    apns.received.clear();
  },
  '/change'(change) {
    fcm.change(change.fcm ?? {});
    apns.change(change.apns ?? {});
  },
  '/goaway'({ how }) {
    fcm.goAway(how);
    apns.goAway(how);
  },
  '/service-account': ({ projectId }) => fcm.account(projectId),
  '/apple-key': ({ bundleId }) => apns.key(bundleId),
};

const control = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = answers[request.url ?? ''];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer?.(JSON.parse(Buffer.concat(chunks).toString() || '{}')) ?? {}));
});
control.listen(0, '127.0.0.1', () => {
  const line: FakesLine = {
    fcmUrl: fcm.url,
    apnsUrl: apns.url,
    caFile,
    ca,
    controlUrl: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    serviceAccount: fcm.account(),
    appleKey: apns.key(),
  };
  console.log(JSON.stringify(line));
});

async function end(): Promise<void> {
  control.closeAllConnections();
  control.close();
  await fakes.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}
process.stdin.on('end', end).resume();
process.once('SIGTERM', end).once('SIGINT', end);
