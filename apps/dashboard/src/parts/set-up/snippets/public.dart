// The public client openlynk_flutter takes these values.
baseUrl: '{{api}}',
apiKey: '{{key}}',
appId: '{{appId}}',
