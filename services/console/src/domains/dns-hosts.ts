// The companies that have most of the world's DNS, known by the names of their servers. The web app says where each of
// them has its records.
const SERVERS = {
  cloudflare: /\.ns\.cloudflare\.com$/,
  route53: /\.awsdns-\d+\.(?:com|net|org|co\.uk)$/,
  godaddy: /\.domaincontrol\.com$/,
  namecheap: /\.registrar-servers\.com$/,
  google: /^ns-cloud-.*\.googledomains\.com$/,
  squarespace: /\.(?:squarespacedns|nsone)\.(?:com|net)$/,
  azure: /\.azure-dns\.(?:com|net|org|info)$/,
  digitalocean: /\.digitalocean\.com$/,
  hetzner: /\.ns\.hetzner\.(?:com|de)$|\.first-ns\.de$|\.second-ns\.(?:com|de)$/,
  ovh: /\.ovh\.(?:net|ca)$|\.anycast\.me$/,
  gandi: /\.gandi\.net$/,
  ionos: /\.ui-dns\.(?:com|de|org|biz)$/,
  vercel: /\.vercel-dns\.com$/,
} as const;

export type DnsHost = keyof typeof SERVERS;

export const dnsHosts = Object.keys(SERVERS) as [DnsHost, ...DnsHost[]];

/** Returns the company of the name servers of a zone, or null. */
export function hostOfZone(servers: readonly string[]): DnsHost | null {
  const names = servers.map((server) => server.toLowerCase().replace(/\.$/, ''));
  return dnsHosts.find((host) => names.some((name) => SERVERS[host].test(name))) ?? null;
}
