// Sends requests byte by byte, for requests that no client library would send.
import { connect } from 'node:net';

/** Sends the bytes unchanged. Resolves with everything that the other side sends until it closes the connection. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      // The other side may close the connection before it has read everything.
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(Buffer.concat(chunks).toString()) : reject(error),
    );
    socket.once('end', () => {
      resolve(Buffer.concat(chunks).toString());
      socket.destroy();
    });
  });
}

/** Parses an answer from its bytes. */
export function parseRaw(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((one) => [one.split(':', 1)[0]!.toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  const isJson = headers['content-type']?.startsWith('application/json');
  return { status: Number(line.split(' ')[1]), headers, text: body, json: isJson ? JSON.parse(body) : undefined };
}
