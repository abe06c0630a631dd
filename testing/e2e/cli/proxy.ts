// A reverse proxy, with settings as operators should have them and with wrong settings.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '@landfall/testkit';

export interface ProxyOptions {
  /** The certificate of the proxy. With it, the proxy serves https. */
  certificate?: Certificate;
  /** How the proxy handles X-Forwarded-For: it adds the client, removes the header, or replaces it. */
  forwarded?: 'add' | 'remove' | ((client: string) => string);
  /** The host name that the proxy sends to the gateway instead of the Host header. */
  ownHost?: string;
  /** Answers some requests in the proxy itself. Returns true when it has answered. */
  answer?(req: IncomingMessage, res: ServerResponse): boolean;
}

export interface FrontProxy {
  port: number;
  /** The gateway's port. */
  target: number;
  options: ProxyOptions;
  /** Takes another certificate. Only for a proxy that serves https. */
  useCertificate(certificate: Certificate): void;
  stop(): Promise<void>;
}

export async function startProxy(options: ProxyOptions = {}): Promise<FrontProxy> {
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const { forwarded = 'add', ownHost, answer } = proxy.options;
    if (answer?.(req, res)) return;
    const client = (req.socket.remoteAddress ?? '').replace('::ffff:', '');
    const { 'x-forwarded-for': claimed, ...headers } = req.headers;
    if (forwarded === 'add') headers['x-forwarded-for'] = claimed ? `${claimed}, ${client}` : client;
    else if (forwarded !== 'remove') headers['x-forwarded-for'] = forwarded(client);
    if (ownHost) headers.host = ownHost;
    const on = request({ port: proxy.target, method: req.method, path: req.url, headers, agent: false }, (got) => {
      res.writeHead(got.statusCode!, got.headers);
      got.pipe(res);
    });
    on.once('error', () => res.writeHead(502).end());
    req.pipe(on);
  };
  const { certificate } = options;
  const secure = certificate && createSecureServer(certificate, serve);
  const server = secure ?? createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const proxy: FrontProxy = {
    port: (server.address() as AddressInfo).port,
    target: 0,
    options,
    useCertificate: (certificate) => secure!.setSecureContext(certificate),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
