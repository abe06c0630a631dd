// Finds the address of this machine that a phone in the same network reaches.
import type { NetworkInterfaceInfo } from 'node:os';

type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[]>;

/** Networks inside this machine, and VPNs. A phone does not reach them. */
const VIRTUAL =
  /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vethernet|cni|flannel|utun|tun|tap|wg|tailscale|zt|lxc|podman)/i;

/**
 * The ranges of RFC 1918 first. Home networks mostly have the first one. Some networks have other addresses. 169.254 is
 * no network.
 */
const BEST_FIRST = [/^192\.168\./, /^10\./, /^172\.(?:1[6-9]|2\d|3[01])\./, /^(?!169\.254\.)/];

/** Returns an IPv4 address, a private one if there is one. Null when there is none. */
export function lanAddress(interfaces: Interfaces): string | null {
  const found = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  for (const range of BEST_FIRST) {
    const address = found.find((one) => range.test(one));
    if (address !== undefined) return address;
  }
  return null;
}
