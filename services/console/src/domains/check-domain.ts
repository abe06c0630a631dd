// Checks what a custom domain still needs: proof, address, certificate, association files. Each step that is not
// well has one fix.
import type { App } from '@landfall/contracts';
import { isPublic } from '@landfall/http';
import { z } from 'zod';
import { checkHosts } from '../association/app-checks.ts';
import { findingStates } from '../association/association-repository.ts';
import type { GetFile } from '../association/get-file.ts';
import type { SeeCertificate, SeenCertificate } from './certificate.ts';
import type { Dns } from './dns.ts';
import { dnsHosts, hostOfZone } from './dns-hosts.ts';

const record = z.object({
  type: z.enum(['TXT', 'A', 'CNAME']),
  name: z.string(),
  value: z.string(),
  purpose: z.enum(['proof', 'address']),
});

export const DomainCheck = z.object({
  records: z.array(record).describe('The DNS records to set.'),
  dnsHost: z.enum(dnsHosts).nullable().describe('The company that has the DNS of the domain. Null: another one.'),
  steps: z.array(
    z.object({
      step: z.enum(['proof', 'address', 'certificate', 'files']),
      state: z.enum(findingStates).describe('`warn`: not there yet. `skipped`: an earlier step comes first.'),
      detail: z.string().describe('What was found, in a sentence.'),
      fix: z.string().nullable().describe('What to do about it. Null when all is well.'),
    }),
  ),
});
export type DomainCheck = z.output<typeof DomainCheck>;
type Step = DomainCheck['steps'][number];
type Verdict = Omit<Step, 'step'>;

interface CheckParts {
  app: App;
  domain: string;
  verified: boolean;
  /** The TXT record that proves it. */
  proof: { name: string; value: string };
  /** The app's host below the link domain, without its port. It leads to the proxy of this installation. */
  linkHost: string;
  /** `http:` or `https:`: how links begin. */
  scheme: string;
  dns: Dns;
  certificateOf: SeeCertificate;
  get: GetFile;
}

/** Takes up to fifteen seconds. Throws DNS_SILENT. */
export async function checkDomain(parts: CheckParts): Promise<DomainCheck> {
  const { domain, dns, proof, linkHost, verified } = parts;
  const [texts, ipv4, ipv6, ours, zone] = await Promise.all([
    dns.texts(proof.name),
    dns.ipv4(domain),
    dns.ipv6(domain),
    dns.ipv4(linkHost),
    zoneOf(domain, dns),
  ]);
  const proven = proofStep(verified, texts, proof.value);
  const address = addressStep({ ipv4, ipv6, ours });
  const leadsHere = address.state === 'ok';
  const certificate = leadsHere ? await certificateStep(parts, ipv4[0]!) : LATER;
  const files = leadsHere && verified ? await filesStep(parts) : LATER;
  const steps = { proof: proven, address, certificate, files };
  return {
    records: [{ type: 'TXT', ...proof, purpose: 'proof' }, ...addressRecords(parts, ours, zone?.name)],
    dnsHost: zone && hostOfZone(zone.servers),
    steps: Object.entries(steps).map(([step, verdict]) => ({ step: step as Step['step'], ...verdict })),
  };
}

const ok = (detail: string): Verdict => ({ state: 'ok', detail, fix: null });
const not = (state: 'warn' | 'failed', detail: string, fix: string): Verdict => ({ state, detail, fix });
const LATER: Verdict = { state: 'skipped', detail: 'It is checked after the steps before.', fix: null };

export function proofStep(verified: boolean, texts: readonly string[], wanted: string): Verdict {
  if (verified) return ok('The domain is yours. You may remove the TXT record.');
  if (texts.includes(wanted)) return ok('The TXT record is there.');
  if (texts.length > 0)
    return not('failed', 'There is a TXT record with another value.', 'Correct the value of the TXT record.');
  return not('warn', 'The DNS has no TXT record yet.', 'Add the TXT record. The DNS may take an hour to show it.');
}

interface Addresses {
  ipv4: readonly string[];
  ipv6: readonly string[];
  /** Of this installation. Empty: its name is known on this machine alone. */
  ours: readonly string[];
}

export function addressStep({ ipv4, ipv6, ours }: Addresses): Verdict {
  const found = ipv4.join(', ');
  if (ipv4.length === 0)
    return not('warn', 'The domain has no IPv4 address in the DNS yet.', 'Add the record that leads to Landfall.');
  if (ours.length > 0 && !ipv4.some((address) => ours.includes(address)))
    return not(
      'failed',
      `The domain leads to ${found}, and Landfall is at ${ours.join(', ')}.`,
      'Correct the record. A proxy of your DNS host before the domain must be off.',
    );
  if (ipv6.length > 0)
    return not(
      'failed',
      `The domain also has the IPv6 address ${ipv6[0]}. A tap over IPv6 is not matched with an app that calls over IPv4.`,
      'Remove the AAAA record.',
    );
  return ok(`The domain leads to ${found}.`);
}

/** The first days of a new certificate must not look like a fault, and a proxy renews it about a month before. */
const SOON_MS = 14 * 86_400_000;

async function certificateStep({ domain, scheme, certificateOf }: CheckParts, address: string): Promise<Verdict> {
  if (scheme !== 'https:')
    return not('warn', 'Links begin with http, so there is no certificate.', 'Set PUBLIC_URL to an https address.');
  try {
    return judgeCertificate(await certificateOf(domain, address), new Date());
  } catch (error) {
    const code = (error as { code?: string }).code ?? (error as Error).name;
    const detail =
      code === 'PRIVATE_ADDRESS'
        ? 'The domain leads to an address that the internet does not reach.'
        : `Nothing answers on port 443 of the domain (${code}).`;
    return not('failed', detail, 'Let the proxy accept https for the domain.');
  }
}

export function judgeCertificate({ fault, expiresAt, issuer }: SeenCertificate, now: Date): Verdict {
  const day = expiresAt.toISOString().slice(0, 10);
  if (fault !== null)
    return not(
      'failed',
      `The certificate of the proxy is not valid for the domain (${fault}).`,
      'Let the proxy get a certificate for the domain.',
    );
  if (expiresAt.getTime() - now.getTime() < SOON_MS)
    return not('warn', `The certificate ends on ${day}.`, 'Let the proxy renew the certificate.');
  return ok(`The certificate is valid until ${day}, from ${issuer}.`);
}

/** The files of phones are named by the app's settings, so an app without a build has none. */
async function filesStep({ app, domain, scheme, get }: CheckParts): Promise<Verdict> {
  const findings = await checkHosts({ app, scheme, hosts: [domain], get }, false);
  const wrong = findings.find(({ state }) => state === 'failed') ?? findings.find(({ state }) => state === 'warn');
  if (wrong) return { state: wrong.state, detail: wrong.detail, fix: wrong.fix };
  const found = findings.filter(({ state }) => state === 'ok').length;
  if (found > 0) return ok('Phones find the files of the app on the domain.');
  return not('warn', 'The app has no files for phones yet.', 'Enter the identifiers of the app in Settings.');
}

/** The zone of a domain is the shortest end of it with name servers of its own, or the domain itself. */
async function zoneOf(domain: string, dns: Dns): Promise<{ name: string; servers: string[] } | null> {
  const labels = domain.split('.');
  const names = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
  for (const name of names) {
    const servers = await dns.nameServers(name);
    if (servers.length > 0) return { name, servers };
  }
  return null;
}

/** A name that is a zone of its own can have no CNAME. An installation without a public address has no record to set. */
function addressRecords(
  { domain, linkHost }: CheckParts,
  ours: readonly string[],
  zone: string | undefined,
): DomainCheck['records'] {
  const reachable = ours.filter(isPublic);
  if (reachable.length === 0) return [];
  if (zone !== domain) return [{ type: 'CNAME', name: domain, value: linkHost, purpose: 'address' }];
  return reachable.map((value) => ({ type: 'A', name: domain, value, purpose: 'address' }));
}
