/** A link to the chat with a bot. */
export type SharedLink = {
  /** What the channel is called. */
  name: string;
  bot: string;
  payload: string;
  /** Whether the flow starts by this payload alone, by all that begin so, or by any: then it is an example. */
  match: 'exact' | 'prefix' | 'any';
};

export const urlOfLink = ({ bot, payload }: Pick<SharedLink, 'bot' | 'payload'>): string =>
  `https://t.me/${encodeURIComponent(bot)}?start=${payload}`;
