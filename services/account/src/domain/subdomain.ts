// Decides which subdomains an app may have.

/** Names that the product or its operator needs, or that a visitor would not take for an app. */
const reserved = new Set(
  `about account accounts admin analytics api app apps assets auth billing blog cdn console dashboard demo-api dev
  developer developers docs email ftp go health help host imap install internal legal link links localhost login logs
  mail manage metrics monitor mx ns ns1 ns2 oauth open pop portal press privacy public root security server signin
  signup smtp sso stage staging static stats status store support sys system terms test v4 v6 web webmail ww www www1
  www2 www3`.split(/\s+/),
);

/** `open-<subdomain>` is the open host of another app. With `xn--`, a name could look like another name. */
const reservedPrefixes = ['open-', 'xn--'];

/** Returns whether the subdomain is reserved. */
export const isReserved = (subdomain: string): boolean =>
  reserved.has(subdomain) || reservedPrefixes.some((prefix) => subdomain.startsWith(prefix));
