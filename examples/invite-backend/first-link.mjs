// first-link.mjs: makes links that survive the install of your app. For Node 20 and newer.
import { Landfall } from '@landfall/node';

const landfall = new Landfall({
  url: 'https://api.example',
  // A server key.
  key: process.env.LANDFALL_KEY,
});

// One link. With the same idempotencyKey it is made once, however often this runs.
const { url } = await landfall.links.create(
  { destination: '/invite?code=42', metadata: { inviter: 'Ann' } },
  { idempotencyKey: 'invitation-42' },
);
console.log(url);

// Any number of links. Each has an outcome of its own.
const outcomes = await landfall.links.createMany([
  { destination: '/invite?code=43', idempotencyKey: 'invitation-43' },
  { destination: '/invite?code=44', idempotencyKey: 'invitation-44' },
]);
for (const outcome of outcomes) console.log(outcome.success ? outcome.link.url : outcome.error.message);
