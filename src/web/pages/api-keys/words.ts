/** Settings, API: keys. */
export const words = {
  title: 'API keys',
  description:
    'A key acts for your account: as “Authorization: Bearer …” below /v1, and as “X-ACCESS-TOKEN” on /api/accounts/me. To rotate one, create another, switch to it, then revoke the old one.',
  create: 'Create API key',
  name: 'Name',
  nameHint: 'What uses it, for example “Shop server”.',
  prefix: 'Begins with',
  created: 'Created',
  lastUsed: 'Last used',
  status: 'Status',
  active: 'Active',
  revoked: 'Revoked',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: 'Its next request is refused. This cannot be taken back.',
  shownOnce: 'Copy the key now. It is shown this once only; if it is lost, revoke it and create another.',
  empty: 'No keys yet',
  emptyHint: 'Create one for each server that calls the API.',
  list: 'API keys',
  counted: { one: 'API key', other: 'API keys' },
  secret: {
    title: 'Webhook Secret',
    description:
      'Signs the events to webhooks that were added in the dashboard. A webhook that was registered by the API has the secret that was chosen there.',
    hidden: 'Hidden',
    show: 'Show',
    hide: 'Hide',
    rotate: 'Rotate',
    rotated: 'The secret is rotated',
    previousUntil: 'In webhook-signature, the previous one signs as well until',
    rotateTitle: 'Replace the Webhook Secret?',
    rotateText:
      'The new secret signs at once, also retries that are already scheduled: X-Service-Signature is made with the new one alone. For 24 hours webhook-signature carries a signature by each, so that an endpoint that verifies it can change over without a gap.',
  },
} as const;
