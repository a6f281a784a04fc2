import { z } from 'zod';
import { apiDeclaration } from './api/declaration.ts';
import type { ChannelDeclaration } from './declaration.ts';

/** The kinds of channels; `kinds.ts` has what each does. */
export const channelTypes = ['api'] as const;

export type ChannelType = (typeof channelTypes)[number];

export const channelDeclarations = { api: apiDeclaration } satisfies Record<ChannelType, ChannelDeclaration>;

/** What channels of all kinds are set up with. A name has one meaning in all kinds. */
export const channelConfig = z.object({ ...apiDeclaration.config.shape }).partial();

/** What of it is shown. */
export const shownConfig = { ...apiDeclaration.shown };
