// Decides which subdomains an app may have.

/**
 * Names that the product or its operator needs, or that a visitor would not take for an app. Also names that systems ask
 * for by themselves, such as `wpad` and `autodiscover` (RFC 2142, 8461, 7929, and Microsoft's).
 */
const reserved = new Set(
  `about account accounts admin administrator analytics api app apps assets auth autoconfig autodiscover billing blog
  broadcasthost cdn console dashboard demo-api dev developer developers docs email enterpriseenrollment
  enterpriseregistration ftp go health help host hostmaster imap imaps install internal isatap legal link links localdomain
  localhost login logs lyncdiscover mail manage metrics monitor msoid mta-sts mx ns ns1 ns2 ns3 ns4 oauth open openpgpkey
  pop pop3 portal postmaster press privacy proxy public root security server signin signup sip smtp sso stage staging
  static stats status store support sys system terms test v4 v6 web webmail webmaster wpad ww www www1 www2 www3`.split(
    /\s+/,
  ),
);

/** `open-<subdomain>` is the open host of another app. With `xn--`, a name could look like another name. */
const reservedPrefixes = ['open-', 'xn--'];

/** Returns whether the subdomain is reserved. */
export const isReserved = (subdomain: string): boolean =>
  reserved.has(subdomain) || reservedPrefixes.some((prefix) => subdomain.startsWith(prefix));
