import { apiDeclaration } from './api/declaration.ts';
import type { ChannelDeclaration } from './declaration.ts';

/** The kinds of channels. `kinds.ts` has what each does. */
export const channelDeclarations = { api: apiDeclaration } satisfies Record<string, ChannelDeclaration>;

export type ChannelType = keyof typeof channelDeclarations;
