// The certificate that a host shows on port 443.
import { connect } from 'node:tls';
import { isPublic } from '@landfall/http';

export interface SeenCertificate {
  /** Null: it is valid for the host. */
  fault: string | null;
  expiresAt: Date;
  issuer: string;
}

export type SeeCertificate = (host: string, address: string) => Promise<SeenCertificate>;

const WITHIN_MS = 4_000;

/**
 * Rejects with an error whose `code` says why there is none. The address comes from other people's DNS: it may be none
 * inside of the operator's network.
 */
export const seeCertificate: SeeCertificate = (host, address) =>
  new Promise((resolve, reject) => {
    const refuse = (code: string) => reject(Object.assign(new Error(code), { code }));
    if (!isPublic(address)) return refuse('PRIVATE_ADDRESS');
    const socket = connect({ host: address, port: 443, servername: host, rejectUnauthorized: false });
    socket.setTimeout(WITHIN_MS, () => socket.destroy(Object.assign(new Error('TIMEOUT'), { code: 'TIMEOUT' })));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: validTo, issuer } = socket.getPeerCertificate();
      const fault = socket.authorized ? null : String(socket.authorizationError);
      resolve({ fault, expiresAt: new Date(validTo), issuer: text(issuer.O ?? issuer.CN) });
      socket.destroy();
    });
  });

const text = (name: string | string[] | undefined): string => [name ?? 'unknown'].flat().join(', ');
