// A DNS server for tests of custom domains.
import { type DnsServer, startDnsServer } from '@landfall/testkit';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ConsoleFixture } from '../console.testing.ts';

/** Lets the suite ask a DNS server of its own. Its `prove` adds the record of a domain there. */
export function withDns(fixture: ConsoleFixture) {
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await startDnsServer({});
  });
  afterAll(() => dns.stop());
  beforeEach(() => {
    dns.records = {};
    fixture.parts.config.DNS_SERVERS = [dns.address];
  });
  return {
    prove({ record: { name, value } }: { record: { name: string; value: string } }): void {
      // Several apps may claim one domain.
      dns.records[name] = { TXT: [...(dns.records[name]?.TXT ?? []), value] };
    },
  };
}
