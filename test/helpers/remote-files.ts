import { onTestFinished } from 'vitest';
import { createMedia } from '../../src/shared/media/media.ts';
import { createRemoteFiles, type RemoteFiles } from '../../src/shared/messages/channels/remote-files.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { tempFolder } from './temp-folder.ts';

/** What gets files from services for a world, into a folder of its own; it ends with the test. */
export const remoteFilesOf = (world: DeliveryWorld): RemoteFiles => {
  const { baseUrl, mediaQuota } = parseConfig({});
  const media = createMedia({ baseUrl, mediaQuota, dataDir: tempFolder('media') }, world.secrets);
  onTestFinished(() => media.stop());
  return createRemoteFiles({ ...world, media });
};
