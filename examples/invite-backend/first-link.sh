#!/bin/sh
# A server key.
LANDFALL_KEY=ol_…

# One link. With the same idempotency key it is made once, however often this runs.
curl -sS https://api.example/api/links/create-sdk \
  -H "x-service-sdk-key: $LANDFALL_KEY" -H 'content-type: application/json' -H 'idempotency-key: invitation-42' \
  -d '{"destination": "/invite?code=42", "metadata": {"inviter": "Ann"}}'

# Up to 1,000 links. Each has an outcome of its own.
curl -sS https://api.example/api/links/create-bulk \
  -H "x-service-sdk-key: $LANDFALL_KEY" -H 'content-type: application/json' \
  -d '{"links": [{"destination": "/invite?code=43", "idempotencyKey": "invitation-43"},
                 {"destination": "/invite?code=44", "idempotencyKey": "invitation-44"}]}'
