import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { createFileStore } from './file-store.ts';
import { createMediaLinks, type MediaLinks } from './links.ts';
import type { MediaQuota } from './queries.ts';
import type { MediaStore } from './store.ts';
import { createTakeMedia, type TakeMedia } from './take-media.ts';

/** Files of messages: where they are, how they come, and links to them. */
export type Media = MediaLinks & { store: MediaStore; take: TakeMedia; quota: MediaQuota };

/** `stop` ends the threads that look into files. */
export const createMedia = (
  config: Pick<Config, 'dataDir' | 'baseUrl' | 'mediaQuota'>,
  secrets: Secrets,
  log?: Logger,
): Media & { stop: () => Promise<void> } => {
  const store = createFileStore(config.dataDir);
  return {
    store,
    ...createMediaLinks(secrets, config),
    quota: config.mediaQuota,
    ...createTakeMedia({ store, quota: config.mediaQuota, log }),
  };
};
