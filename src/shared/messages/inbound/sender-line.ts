/** The account and the channel that something came in over; UUIDs. */
export type Over = { accountId: string; channelId: string };

/** The line of those that are about to lock the contact of a sender; see `inLine`. */
export const senderLine = ({ channelId }: Over, sender: { external_id: string }): string =>
  `sender/${channelId}/${sender.external_id}`;
