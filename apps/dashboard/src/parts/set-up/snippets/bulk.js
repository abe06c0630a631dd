// Up to 1,000 links in one call. Each row has its own outcome.
const answer = await fetch('{{api}}/api/links/create-bulk', {
  method: 'POST',
  headers: { 'x-service-sdk-key': '{{key}}', 'content-type': 'application/json' },
  body: JSON.stringify({
    links: [{ destination: '/invite?code=1', idempotencyKey: 'invite-1' }],
  }),
});
const { outcomes } = await answer.json();
