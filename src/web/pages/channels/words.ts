/** Settings, Channels. */
export const words = {
  title: 'Channels',
  description:
    'Where contacts write, and where messages to them go. A channel of type api is your own: your server hands in what contacts write, and gets what is sent to them.',
  list: 'Channels',
  create: 'Create channel',
  name: 'Name',
  nameHint: 'For people, for example “Shop chat”.',
  type: 'Type',
  callbackUrl: 'Callback URL',
  callbackUrlHint:
    'Gets the messages to contacts, as signed POSTs. Must be a public https:// URL. Without one, messages are marked as sent.',
  noCallback: 'None (messages are marked as sent)',
  secret: 'Secret',
  secretHint: 'Signs what goes to the callback URL. Leave it empty to have one made.',
  secretStays: 'Leave it empty to keep the present one. A replaced one signs beside the new one for a day.',
  created: 'Created',
  empty: 'No channels yet',
  emptyHint: 'Create one of your own, then send a message as a contact from its page: that is your first event.',
  id: 'Id',
  edit: 'Edit channel',
  shownOnce:
    'Copy the secret now. It is shown this once only; your server verifies the messages to contacts with it. If it is lost, rotate it.',
  rotate: 'Rotate secret',
  rotateTitle: (name: string) => `Rotate the secret of “${name}”?`,
  rotateText:
    'A new secret is in force at once, also for messages that wait. For 24 hours the present one signs beside it, in the header webhook-signature alone.',
  handIn: 'Send incoming messages to Parley',
  handInHint:
    'Your server makes this request for each message of a contact. Safe to retry: a repeated message_id is ignored. The key is one of Settings, API.',
  handInCode: 'Request as curl',
  moreInDocs: 'All fields, and lists of messages, in the API documents',
  try: 'Send a message as a contact',
  tryHint:
    'Hands in a message as your server would: a new sender becomes a contact, flows answer, and webhooks get their events.',
  sender: 'Id of the sender',
  senderHint: 'Your ID for this person. A new ID creates a new contact.',
  firstName: 'First name',
  firstNameHint: 'Taken when the sender is new.',
  text: 'Text',
  send: 'Send',
  received: 'The message came in',
  openContact: 'Open the contact',
  openConversation: 'Open the conversation',
  openDeliveries: 'See its deliveries',
  skipped: 'The message is kept. Fields of its sender that were skipped:',
  noEvent: 'It made no event.',
} as const;
