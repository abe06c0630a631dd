import type { Domain } from '@landfall/api-client';
import { StartError } from '@landfall/runtime';
import { facts, table } from '../table.ts';
import { type Api, got } from './api.ts';
import { type Action, appOf, type Given, ofApp, resource } from './resource.ts';

const DOMAINS = '/api/manage/apps/{appId}/domains';

const common = { options: [ofApp] };

async function domainOf(api: Api, given: Given): Promise<{ appId: string; domainId: string }> {
  const path = await appOf(api, given);
  const name = given.places[0]!.toLowerCase();
  const { domains } = await got(api.GET(DOMAINS, { params: { path } }));
  const domain = domains.find((one) => one.domain === name);
  if (!domain) throw new StartError(`The app has no domain ${name}: domains list --app ${given.text.app} shows them.`);
  return { ...path, domainId: domain.id };
}

const verified = ({ domain, verifiedAt }: Domain): string[] => [`${domain} is verified since ${verifiedAt}.`];

const actions: readonly Action[] = [
  {
    ...common,
    name: 'list',
    description: 'Lists domains, verified or not.',
    async run(given, api) {
      const { domains } = await got(api.GET(DOMAINS, { params: { path: await appOf(api, given) } }));
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
      const path = await appOf(api, given);
      const answer = await got(api.POST(DOMAINS, { params: { path }, body: { domain: given.places[0]! } }));
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
      const path = await domainOf(api, given);
      const answer = await got(api.POST(`${DOMAINS}/{domainId}/verify`, { params: { path } }));
      return { json: answer, lines: verified(answer.domain) };
    },
  },
  {
    ...common,
    name: 'remove',
    places: ['<domain>'],
    description: 'Removes a domain. Its links stop working there at once.',
    async run(given, api) {
      const path = await domainOf(api, given);
      const answer = await got(api.DELETE(`${DOMAINS}/{domainId}`, { params: { path } }));
      return { json: answer, lines: [`${given.places[0]} is removed.`] };
    },
  },
];

export const addDomains = resource('domains', 'List, add, verify and remove the custom domains of an app.', actions);
