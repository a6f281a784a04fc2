import { z } from 'zod';
import type { ChannelKind, Polled } from '../kind.ts';
import { botIdOf, type CallBot } from './bot-api.ts';
import { updatesAskedFor } from './connection.ts';
import { chatOf, readUpdate } from './updates.ts';

/** The most updates of one answer, and its largest size. */
const updatesAtMost = 100;
const answerBytes = 16 * 1024 * 1024;

/** How long an answer may take beyond the wait for updates, in ms. */
const beyondWaitMs = 10_000;

/** When to ask again after an answer that brings nothing, in ms, unless Telegram says so. */
const againMs = 3_000;

const updates = z.array(z.looseObject({ update_id: z.int() }));

/**
 * Asks for the updates of a bot. Those before `after` are confirmed by that. It is given with the next call alone: ids begin anew when a bot had no
 * updates for a week, and an id of before must not confirm those.
 */
export const createPoll =
  (callBot: CallBot): NonNullable<ChannelKind['poll']> =>
  async ({ egress }, channel, { after, waitMs, signal }): Promise<Polled> => {
    const answer = await callBot(egress, channel, {
      method: 'getUpdates',
      parameters: {
        ...(after !== undefined && { offset: Number(after) }),
        limit: updatesAtMost,
        timeout: Math.ceil(waitMs / 1_000),
        allowed_updates: updatesAskedFor,
      },
      timeoutMs: waitMs + beyondWaitMs,
      maxBodyBytes: answerBytes,
      signal,
    });
    if (answer.type === 'done') {
      const came = updates.parse(answer.result).toSorted((one, other) => one.update_id - other.update_id);
      const last = came.at(-1)?.update_id;
      const botId = botIdOf(channel.config);
      return {
        type: 'polled',
        updates: came.map((update) => ({
          ref: String(update.update_id),
          chat: chatOf(update),
          told: readUpdate(botId, update),
        })),
        next: last === undefined ? undefined : String(last + 1),
      };
    }
    if (answer.type !== 'refused') return { type: 'later', retryAfterMs: againMs };
    if (answer.status === 401 || answer.status === 404) return { type: 'refused' };
    // The bot still has a webhook, as of an installation that was told to poll since.
    if (answer.status === 409 && /webhook/i.test(answer.description)) {
      await callBot(egress, channel, { method: 'deleteWebhook', parameters: {}, signal });
    }
    return { type: 'later', retryAfterMs: answer.retryAfterMs ?? againMs };
  };
