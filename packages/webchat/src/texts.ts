/** What the chat says, in English. A channel's `texts` may have another for each. */
const defaults = {
  /** The language of times and days, and of the texts. */
  language: 'en',
  launcher: 'Open chat',
  close: 'Close chat',
  /** When somebody answers, below the title. */
  hours: '',
  placeholder: 'Write a message …',
  send: 'Send message',
  attach: 'Attach files',
  files: 'Files to send',
  uploading: 'Uploading …',
  upload_failed: 'Upload failed',
  too_large: 'Larger than 16 MB',
  messages: 'Messages',
  you: 'You',
  bot: 'Assistant',
  agent: 'Agent',
  typing: 'is typing',
  sending: 'Sending …',
  sent: 'Sent',
  seen: 'Seen',
  failed: 'Not sent',
  retry: 'Retry',
  remove: 'Remove',
  full: 'Wait until your messages are sent.',
  offline: 'You are offline. Your messages go out once you are back.',
  connecting: 'Reconnecting …',
  older: 'Load older messages',
  latest: 'Show latest messages',
  image: 'Image',
  open_image: 'Open image',
  file: 'File',
  replies: 'Suggested replies',
  unread: 'unread',
} as const;

export type Texts = Record<keyof typeof defaults, string>;

/** The channel's own texts, and the chat's where it has none. */
export const textsOf = (own: Record<string, string>): Texts =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries are those of the defaults
  Object.fromEntries(Object.entries(defaults).map(([key, text]) => [key, own[key] || text])) as Texts;

/** The visitor's region of the texts' language, such as en-GB, so that times are as they know them. */
export const localeOf = (language: string, known: readonly string[]): string => {
  const locale = known.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
};
