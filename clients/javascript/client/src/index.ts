// The core of the clients for JavaScript. Apps use `@landfall/react-native` or another package that is made of it.
export { hostOf, partsOf } from './address.ts';
export { createClient } from './client.ts';
export type {
  CoreOptions,
  CreatedLink,
  Finding,
  Landfall,
  NewLink,
  Options,
  Push,
  PushOptions,
  User,
} from './landfall.ts';
export type { Fields, Link, LinkData, Match, Via } from './link.ts';
export { LandfallError } from './parts/transport.ts';
export type { Facts, Fetch, Storage, System, Told } from './system.ts';
