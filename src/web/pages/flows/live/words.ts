/** A flow that was just published, and a conversation with it. */
export const words = {
  published: (version: number) => `Version ${version} is live`,
  hint: 'Try it on the phone, or write to it as a real contact.',
  send: 'Send a message',
  play: 'Try this version',
  title: 'Send yourself a message',
  about: 'You write as a real contact on a channel of type API. Runs and messages are kept.',
  conversation: 'Your conversation with the flow',
  write: 'Message',
  writeHint: 'Write to the flow',
  sendIt: 'Send message',
  noWord: 'No word starts this flow. Write once, then start it by hand.',
  start: 'Start the flow',
  waiting: 'Waiting for the reply …',
  openConversation: 'Open conversation',
  openContact: 'Open contact',
} as const;
