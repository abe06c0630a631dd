// A name server for tests. It receives real questions over UDP, and the test sets the answers.
import { createSocket } from 'node:dgram';
import { type Answer, decode, encode, type RecordType } from 'dns-packet';

export interface DnsServer {
  /** `127.0.0.1:port`. */
  address: string;
  /** Records by name, or by `*.` and the rest of the name. A name without records does not exist. */
  records: Record<string, { A?: string[]; AAAA?: string[]; TXT?: (string | string[])[] }>;
  /** True when the server receives questions and answers none. */
  silent: boolean;
  stop(): Promise<void>;
}

const NAME_ERROR = 3;

export async function startDnsServer(records: DnsServer['records']): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const found = (name: string) => dns.records[name] ?? dns.records[name.replace(/^[^.]+/, '*')];
  socket.on('message', (message, peer) => {
    if (dns.silent) return;
    const { id = 0, questions = [] } = decode(message);
    const [{ name, type }] = questions as [{ name: string; type: RecordType }];
    const known = found(name.toLowerCase());
    const values = (type === 'A' || type === 'AAAA' || type === 'TXT' ? known?.[type] : undefined) ?? [];
    const answers = values.map((data) => ({ type, name, data, ttl: 1 }) as Answer);
    socket.send(
      encode({ type: 'response', id, flags: known ? 0 : NAME_ERROR, questions, answers }),
      peer.port,
      peer.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const dns: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    silent: false,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return dns;
}
