// A plain HTTP client for tests: any host header, any address, and no redirect is followed.
import { request } from 'node:http';

export interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON; a string or bytes as they are. */
  body?: unknown;
}

export interface Received {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The body as it came. */
  bytes: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  json: any;
}

export function send(port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<Received> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const payload = raw ? body : JSON.stringify(body);
  const type = raw ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const req = request({ port, method, path, headers: { ...type, ...headers }, agent: false }, (res) => {
      if (res.headers['content-type']?.startsWith('text/event-stream')) {
        // A stream has no end.
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers as Received['headers'],
          text: '',
          bytes: Buffer.alloc(0),
          json: undefined,
        });
        return req.destroy();
      }
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.once('error', reject);
      res.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const received = { status: res.statusCode ?? 0, headers: res.headers as Received['headers'], text, bytes };
        const isJson = res.headers['content-type']?.startsWith('application/json') && text !== '';
        resolve({ ...received, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    req.once('error', reject);
    req.end(payload);
  });
}
