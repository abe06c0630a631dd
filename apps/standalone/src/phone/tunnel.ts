import { StartError } from '@landfall/runtime';

export interface TunnelClient {
  forward(config: { addr: string; authtoken: string }): Promise<{ url(): string | null; close(): Promise<void> }>;
}

export interface TunnelOptions {
  port: number;
  authtoken: string | undefined;
  /** Milliseconds until the tunnel counts as not opened. The client itself may try for ever. */
  withinMs?: number;
  load?: () => Promise<TunnelClient>;
}

const WITHIN_MS = 20_000;

/**
 * Opens a tunnel of ngrok. `url` is `https://<host>`.
 * @throws StartError with a sentence for the person who starts the product
 */
export async function openTunnel({ port, authtoken, withinMs = WITHIN_MS, load = ngrok }: TunnelOptions) {
  if (!authtoken)
    throw new StartError(
      '--tunnel needs a token of ngrok: copy yours from https://dashboard.ngrok.com/get-started/your-authtoken and set NGROK_AUTHTOKEN.',
    );
  const client = await load();
  const opening = client.forward({ addr: `127.0.0.1:${port}`, authtoken });
  const listener = await within(opening, withinMs).catch((error: unknown) => {
    // A tunnel that opens later would stay open without an owner.
    opening.then((late) => late.close()).catch(() => {});
    throw new StartError(`The tunnel did not open: ${reasonOf(error, authtoken)}`);
  });
  const url = URL.parse(listener.url() ?? '');
  if (url?.protocol !== 'https:') {
    await listener.close();
    throw new StartError(`The tunnel has no https address: ngrok says ${listener.url() ?? 'none'}.`);
  }
  return { url: url.origin, stop: () => listener.close() };
}

async function ngrok(): Promise<TunnelClient> {
  try {
    return await import('@ngrok/ngrok');
  } catch {
    throw new StartError(
      '--tunnel needs the package @ngrok/ngrok, which is missing or has no build for this machine. Use npm start -- --lan, or a tunnel of your own (docs/guides/real-phone.md).',
    );
  }
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`ngrok did not answer within ${ms / 1000} seconds.`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** In one line. It never shows the token. */
function reasonOf(error: unknown, authtoken: string): string {
  const said = error instanceof Error ? error.message : String(error);
  return said.replaceAll(authtoken, '…').replace(/\s+/g, ' ').trim();
}
