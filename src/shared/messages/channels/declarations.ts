import { apiDeclaration } from './api/declaration.ts';
import type { ChannelDeclaration } from './declaration.ts';
import { telegramDeclaration } from './telegram/declaration.ts';
import { webchatDeclaration } from './webchat/declaration.ts';

/** The kinds of channels. `kinds.ts` has what each does. */
const channelDeclarations = {
  api: apiDeclaration,
  telegram: telegramDeclaration,
  webchat: webchatDeclaration,
} satisfies Record<string, ChannelDeclaration>;

export type ChannelType = keyof typeof channelDeclarations;

const fetched: ReadonlySet<string> = new Set(
  Object.entries<ChannelDeclaration>(channelDeclarations).flatMap(([type, { fetched: does }]) => (does ? [type] : [])),
);

/** Whether contacts fetch their messages themselves over channels of this type. */
export const isFetched = (type: string): boolean => fetched.has(type);
