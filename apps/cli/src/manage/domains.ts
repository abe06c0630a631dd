// Custom domains of an app.

import { StartError } from '@landfall/runtime';
import { z } from 'zod';
import { facts, table } from '../table.ts';
import { type Api, findApp } from './api.ts';
import { type Action, type Given, ofApp, resource } from './resource.ts';

const DomainView = z.looseObject({
  id: z.uuid(),
  domain: z.string(),
  verifiedAt: z.string().nullable(),
  record: z.object({ type: z.string(), name: z.string(), value: z.string() }),
});
type DomainView = z.output<typeof DomainView>;
const reply = z.object({ domain: DomainView });

const common = { options: [ofApp] };
const domainsOf = async (api: Api, { text }: Given) => `/apps/${(await findApp(api, text.app!)).id}/domains`;
const list = async (api: Api, path: string) =>
  (await api.ask(z.object({ domains: z.array(DomainView) }), 'GET', path)).domains;

/** Returns the API path of the domain with the given name. */
async function pathOf(api: Api, given: Given): Promise<string> {
  const path = await domainsOf(api, given);
  const name = given.places[0]!.toLowerCase();
  const domain = (await list(api, path)).find((one) => one.domain === name);
  if (!domain) throw new StartError(`The app has no domain ${name}: domains list --app ${given.text.app} shows them.`);
  return `${path}/${domain.id}`;
}

const verified = ({ domain, verifiedAt }: DomainView): string[] => [`${domain} is verified since ${verifiedAt}.`];

const actions: readonly Action[] = [
  {
    ...common,
    name: 'list',
    description: 'Lists domains, verified or not.',
    async run(given, api) {
      const domains = await list(api, await domainsOf(api, given));
      const lines = table(domains, {
        DOMAIN: ({ domain }) => domain,
        VERIFIED: ({ verifiedAt }) => verifiedAt,
        'TXT RECORD': ({ record }) => record.name,
        VALUE: ({ record }) => record.value,
      });
      return { json: { domains }, lines };
    },
  },
  {
    ...common,
    name: 'add',
    places: ['<domain>'],
    description: 'Adds a domain, and shows the record that its DNS needs.',
    async run(given, api) {
      const answer = await api.ask(reply, 'POST', await domainsOf(api, given), { domain: given.places[0] });
      const { domain, record } = answer.domain;
      return { json: answer, lines: facts({ domain, 'TXT record': record.name, value: record.value }) };
    },
  },
  {
    ...common,
    name: 'verify',
    places: ['<domain>'],
    description: 'Looks for the record, and serves the app at the domain.',
    async run(given, api) {
      const answer = await api.ask(reply, 'POST', `${await pathOf(api, given)}/verify`);
      return { json: answer, lines: verified(answer.domain) };
    },
  },
  {
    ...common,
    name: 'remove',
    places: ['<domain>'],
    description: 'Removes a domain. Its links stop working there at once.',
    async run(given, api) {
      const answer = await api.ask(z.object({}), 'DELETE', await pathOf(api, given));
      return { json: answer, lines: [`${given.places[0]} is removed.`] };
    },
  },
];

export const addDomains = resource('domains', 'List, add, verify and remove the custom domains of an app.', actions);
