// Builds the target of the load: an app with a key and links, created through the API.
import type { Product } from './product.ts';

export interface Site {
  product: Product;
  appId: string;
  key: string;
  /** The host of the links. */
  linkHost: string;
  links: readonly { id: string; slug: string; destination: string }[];
}

/** The number of links that the requests use in turn. */
const LINKS = 1_000;
const AT_ONCE = 50;

let addresses = 0;
/**
 * Returns a client address that no earlier request used. Limits count requests by address, and the load must not reach
 * a limit.
 */
export function freshAddress(): string {
  const n = addresses++;
  return `${11 + (n >>> 24)}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`;
}

export async function makeSite(product: Product): Promise<Site> {
  const manage = (path: string, body: object) => askManage(product, 'POST', path, body);
  const settings = {
    // Otherwise a restore more than two minutes after its tap finds nothing: on their first day, many devices look new.
    matching: { existingUsers: false },
    ios: { storeId: '1000000000', teamId: 'ABCDE12345', bundleId: 'com.example.bench' },
    android: { package: 'com.example.bench' },
  };
  const { app } = await manage('/api/manage/apps', { name: 'Bench', subdomain: 'bench', ...settings });
  const { plaintext: key } = await manage(`/api/manage/apps/${app.id}/keys`, {});
  const site = { product, appId: app.id, key, linkHost: `bench.localhost:${product.port}` };
  const links: Site['links'][number][] = [];
  while (links.length < LINKS) {
    const made = Array.from({ length: AT_ONCE }, (_, i) => makeLink(site, links.length + i));
    links.push(...(await Promise.all(made)));
  }
  return { ...site, links };
}

async function makeLink({ product, key }: Pick<Site, 'product' | 'key'>, n: number) {
  const body = { destination: `/invite/${n}?code=summer&utm_source=bench`, metadata: { title: `Invitation ${n}` } };
  const headers = { 'x-service-sdk-key': key, 'x-forwarded-for': freshAddress() };
  return (await ask(product.port, 'POST', '/api/links/create-sdk', headers, body)).link;
}

/** Asks the management API. */
export const askManage = ({ managePort, ownerToken }: Product, method: string, path: string, body?: object) =>
  ask(managePort, method, path, { authorization: `Bearer ${ownerToken}` }, body);

type Headers = Record<string, string>;

// biome-ignore lint/suspicious/noExplicitAny: what comes is looked into at once
async function ask(port: number, method: string, path: string, headers: Headers, body?: object): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // Ask again: a process that sends many pushes may be busy.
  if (answer.status === 503 && method === 'GET') return ask(port, method, path, headers);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
