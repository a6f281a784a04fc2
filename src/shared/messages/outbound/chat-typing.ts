import { showId } from '../../ids.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodic } from '../../platform/periodic.ts';
import { findFlowsTyping } from '../webchat/typing.ts';
import type { ChannelKind, OpenChannel } from '../channels/kind.ts';

type Deps = { db: Database; egress: Egress; log: Logger };

type Chat = { kind: ChannelKind; channel: OpenChannel; chat: string; looksLeft: number; quietUntil: number };

/** How often Parley looks at chats, how often it tells one that a flow types, and after how many looks without a flow it stops. */
const bounds = { lookEveryMs: 1_000, tellEveryMs: 5_000, looks: 3 };

/** The most chats that are looked at, and that are told at a time. */
const atMost = { chats: 1_000, telling: 20 };

/**
 * Shows in chats of a service that a flow types, as long as one is about to write there. It is a courtesy: nothing waits for it, what fails is not
 * tried again, and a process that ends forgets it.
 */
export const createChatTyping = ({ db, egress, log }: Deps, { now = Date.now } = {}) => {
  const chats = new Map<string, Chat>();
  const pausedUntil = new Map<string, number>();
  const telling = new Set<Promise<void>>();

  const tell = async ({ kind, channel, chat }: Chat): Promise<void> => {
    try {
      const told = await kind.showTyping?.({ egress }, channel, chat);
      if (told?.type === 'later') pausedUntil.set(channel.id, now() + told.retryAfterMs);
    } catch (error) {
      log.debug({ err: error, channel_id: showId('channel', channel.id) }, 'channel.typing_not_shown');
    }
  };

  /** The chats among these where a flow types, over channels that may be sent to now. */
  const findTyping = async (asked: readonly Chat[]): Promise<Set<Chat>> => {
    const rows = await db<{ place: number; accountId: string; channelId: string; contactId: string }[]>`
      select asked.place::int as place, c.account_id, i.channel_id, i.contact_id
      from unnest(${asked.map(({ channel }) => channel.id)}::uuid[], ${asked.map(({ chat }) => chat)}::text[])
        with ordinality as asked (channel_id, chat, place)
      join contact_identities i on i.channel_id = asked.channel_id and i.external_id = asked.chat and i.blocked_at is null
      join channels c on c.id = asked.channel_id and c.deleted_at is null and coalesce(c.paused_until <= clock_timestamp(), true)`;
    const contacts = rows.length === 0 ? new Set<string>() : await findFlowsTyping(db, rows);
    return new Set(rows.flatMap(({ place, contactId }) => (contacts.has(contactId) ? (asked[place - 1] ?? []) : [])));
  };

  /** Looks at all chats once. */
  const look = async (): Promise<void> => {
    for (const [id, until] of pausedUntil) if (until <= now()) pausedUntil.delete(id);
    const asked = [...chats.values()].filter(({ quietUntil }) => quietUntil <= now());
    if (asked.length === 0) return;
    const typing = await findTyping(asked);
    for (const one of asked) {
      one.looksLeft = typing.has(one) ? bounds.looks : one.looksLeft - 1;
      if (one.looksLeft <= 0) chats.delete(nameOf(one));
      if (!typing.has(one) || pausedUntil.has(one.channel.id) || telling.size >= atMost.telling) continue;
      one.quietUntil = now() + bounds.tellEveryMs;
      const told = tell(one).finally(() => telling.delete(told));
      telling.add(told);
    }
  };

  const looking = startPeriodic(look, { name: 'chat_typing', everyMs: bounds.lookEveryMs, log });
  return {
    look,
    /** Something came over these chats, which a flow may answer. */
    note: (kind: ChannelKind, channel: OpenChannel, of: readonly string[]): void => {
      if (!kind.showTyping) return;
      for (const chat of of) {
        const name = nameOf({ channel, chat });
        const quietUntil = chats.get(name)?.quietUntil ?? 0;
        if (chats.size < atMost.chats || chats.has(name)) {
          chats.set(name, { kind, channel, chat, looksLeft: bounds.looks, quietUntil });
        }
      }
    },
    /** Waits for what is under way. */
    stop: async (): Promise<void> => {
      await looking.stop();
      await Promise.all(telling);
    },
  };
};

const nameOf = ({ channel, chat }: Pick<Chat, 'channel' | 'chat'>): string => `${channel.id} ${chat}`;
