// Certificates for tests: a certificate authority of our own, and the certificates that it signs. The openssl of this
// machine makes them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** The certificate of the authority. Clients must trust it. */
  ca: string;
  /** Makes a certificate for these names and addresses. It is valid from now for `days` days. */
  certificateFor(names: readonly string[], days: number): Certificate;
  remove(): void;
}

export function makeAuthority(): Authority {
  const folder = mkdtempSync(path.join(tmpdir(), 'landfall-certificates-'));
  const file = (name: string) => path.join(folder, name);
  const read = (name: string) => readFileSync(file(name), 'utf8');
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=Test');
  let made = 0;
  return {
    ca: read('ca.pem'),
    certificateFor(names, days) {
      const name = String(++made);
      writeFileSync(
        file(`${name}.ext`),
        `subjectAltName=${names.map((one) => `${isIP(one) ? 'IP' : 'DNS'}:${one}`).join()}\n`,
      );
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=links');
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`];
      openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`, '-days', String(days));
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
