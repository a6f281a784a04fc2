import { parseId, showId } from '../../../ids.ts';

/** What a button carries: the message's id as it is shown, and the place of the quick reply. Telegram takes 64 bytes. */
export const buttonData = (messageId: string, index: number): string => `${showId('message', messageId)}:${index}`;

/** The quick reply that a button stands for; undefined for what no button carries. The id is a UUID. */
export const readButtonData = (data: string): { messageId: string; index: number } | undefined => {
  const { id = '', index } = /^(?<id>[^:]{1,50}):(?<index>\d{1,2})$/.exec(data)?.groups ?? {};
  const messageId = parseId('message', id);
  return messageId === undefined || index === undefined ? undefined : { messageId, index: Number(index) };
};
