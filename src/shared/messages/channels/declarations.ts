import { apiDeclaration } from './api/declaration.ts';
import type { ChannelDeclaration } from './declaration.ts';

/** The kinds of channels; `kinds.ts` has what each does. */
export const channelTypes = ['api'] as const;

export type ChannelType = (typeof channelTypes)[number];

export const channelDeclarations = { api: apiDeclaration } satisfies Record<ChannelType, ChannelDeclaration>;
