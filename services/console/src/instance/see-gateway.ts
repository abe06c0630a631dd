// `landfall doctor` asks these routes. Others than owners of the installation may not, because of the addresses.

import { SeeGateway } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';

const address = () => z.string().max(100);

const { untrustedProxies, people, ...settings } = SeeGateway.reply.shape;
export const gatewayView = z.object({
  ...settings,
  caller: z.object({
    peer: address().describe('The other end of the connection.'),
    trusted: z.boolean().describe('True when the X-Forwarded-For of the peer is trusted.'),
    forwardedFor: z.string().max(1_000).nullable().describe('X-Forwarded-For as received.'),
    address: address().describe("The client's address of this request."),
    matchable: z.boolean().describe('True when a pending link may be matched by this address.'),
  }),
  untrustedProxies,
  people,
});

export const listGroups = manageRoute('GET /api/manage/groups', {
  needs: 'instance-owner',
  summary: 'List the consumer groups of the installation: their processes, and the messages that wait',
  reply: z.object({
    groups: z.array(
      z.object({
        group: z.string(),
        members: z.int().describe('The number of processes that share the work. 0: none runs.'),
        lag: z.int().describe('The number of messages that are not done yet.'),
        waitedMs: z
          .int()
          .describe('Milliseconds that the oldest of them has waited, at least. Over Kafka in steps from a minute on.'),
      }),
    ),
  }),
  async handle(_, { groups, log }) {
    const found = await groups().catch((err: unknown) => {
      log.warn({ err }, 'the brokers did not say how far the groups are');
      throw new ApiError('BUSY');
    });
    return { groups: found.map(({ group, members, lag, waitedMs }) => ({ group, members, lag, waitedMs })) };
  },
});

export const seeGateway = manageRoute('GET /api/manage/gateway', {
  needs: 'instance-owner',
  summary: 'Get the settings of this gateway and its view of you',
  reply: z.object({ gateway: gatewayView }),
  probe: true,
  async handle({ addressFound }, { forward }) {
    return { gateway: { ...(await forward(SeeGateway, {})), caller: addressFound() } };
  },
});
