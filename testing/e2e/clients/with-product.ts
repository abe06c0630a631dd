// Runs a command beside a product of its own: `node scripts/boot.mjs testing/e2e/clients/with-product.ts COMMAND [ARGS...]`.
// The command gets LANDFALL_URL, LANDFALL_KEY (a mobile key of a new app) and LANDFALL_HOST (the app's host of links).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Product, withProduct } from '@landfall/testkit/product';

const [command = '', ...args] = process.argv.slice(2);

process.exitCode = await withProduct({ LOG_LEVEL: 'warn' }, async (product) => {
  const env = { ...process.env, ...(await newApp(product)) };
  const child = spawn(command, args, { env, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code ?? 1;
});

async function newApp({ url, ownerToken }: Product) {
  // biome-ignore lint/suspicious/noExplicitAny: what comes is looked into at once
  async function post(path: string, body: object): Promise<any> {
    const headers = { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/manage/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
  const { app } = await post('apps', { name: 'Clients', subdomain: 'clients', matching: { existingUsers: false } });
  const { plaintext } = await post(`apps/${app.id}/keys`, { kind: 'mobile' });
  return { LANDFALL_URL: url, LANDFALL_KEY: plaintext, LANDFALL_HOST: app.linkHost };
}
