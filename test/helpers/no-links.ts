import type { LinkTo } from '../../src/shared/media/schema.ts';

/** For messages without files. */
export const noLinks: LinkTo = () => ({ url: '', thumbnail: null });
