curl -X POST {{api}}/api/links/create-sdk \
  -H 'x-service-sdk-key: {{key}}' -H 'content-type: application/json' \
  -d '{"destination": "/invite?code=42&utm_campaign=spring", "metadata": {"inviter": "ada"}}'
