import { z } from 'zod';
import type { ChannelKind } from '../kind.ts';
import { tokenOf, type CallBot } from './bot-api.ts';

/** How long a file may take, in ms. */
const fetchMs = 30_000;

/** Where the Bot API has a file. Nothing in it leads elsewhere: a self-hosted one may also name a path on its own disk. */
const place = z.object({
  file_path: z
    .string()
    .max(500)
    .regex(/^(?!.*\.\.)[\w-][\w./-]*$/),
});

/** Gets a file by its id. Its address has the token of the bot, so nobody else sees it. */
export const createFetchFile =
  (callBot: CallBot, { apiUrl }: { apiUrl: string }): NonNullable<ChannelKind['fetchFile']> =>
  async ({ egress }, channel, { ref, bytesAtMost }) => {
    const asked = await callBot(egress, channel, { method: 'getFile', parameters: { file_id: ref } });
    // 400: the file is too large for the Bot API, or is there no more.
    if (asked.type === 'refused' && asked.status === 400) return { type: 'gone' };
    if (asked.type !== 'done') return { type: 'later' };
    const { data } = place.safeParse(asked.result);
    if (!data) return { type: 'gone' };
    const answer = await egress.request({
      accountId: channel.accountId,
      url: `${apiUrl}/file/bot${tokenOf(channel.config)}/${data.file_path}`,
      method: 'GET',
      headers: {},
      timeoutMs: fetchMs,
      maxBodyBytes: bytesAtMost,
      ofOperator: true,
    });
    if (answer.type !== 'answered' || answer.status >= 500 || answer.status === 429) return { type: 'later' };
    if (answer.status !== 200 || answer.truncatedBy === 'size') return { type: 'gone' };
    return answer.bodyTruncated ? { type: 'later' } : { type: 'fetched', bytes: answer.body };
  };
