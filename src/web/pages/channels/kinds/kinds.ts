import type { Schemas } from '../../../api/client.ts';
import { apiKind } from './api.tsx';
import type { KindOfChannel } from './kind.ts';
import { telegramKind } from './telegram.tsx';
import { webchatKind } from './webchat.tsx';

/** The kinds of channels, in the order in which a new one is offered. */
export const kindsOfChannels = { webchat: webchatKind, telegram: telegramKind, api: apiKind } satisfies Record<
  Schemas['Channel']['type'],
  KindOfChannel
>;

export type TypeOfChannel = keyof typeof kindsOfChannels;
