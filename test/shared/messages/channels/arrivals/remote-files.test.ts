import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { createMedia } from '../../../../../src/shared/media/media.ts';
import { createRemoteFiles } from '../../../../../src/shared/messages/channels/arrivals/remote-files.ts';
import type { Told } from '../../../../../src/shared/messages/channels/kind.ts';
import { kindOf } from '../../../../../src/shared/messages/channels/kinds.ts';
import { parseConfig } from '../../../../../src/shared/platform/config.ts';
import { anAccount } from '../../../../helpers/accounts.ts';
import { untilSomebodyWaits } from '../../../../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import { tempFolder } from '../../../../helpers/temp-folder.ts';

let world: DeliveryWorld;
let media: ReturnType<typeof createMedia>;
const { baseUrl, mediaQuota } = parseConfig({});
beforeAll(async () => {
  world = await startDeliveryWorld();
  media = createMedia({ baseUrl, mediaQuota, dataDir: tempFolder('media') }, world.secrets);
});
afterAll(async () => {
  await media.stop();
  await world.stop();
});

/** A message with a file, from a chat of its own. */
const told = () => {
  const message = { message_id: newUuid(), sender: { external_id: newUuid() }, text: '' };
  return [{ type: 'message' as const, message, files: [{ ref: newUuid(), name: 'a', bytes: 5, instead: '[file]' }] }];
};

test('files wait to be stored within the bound on those that are in memory', async () => {
  let fetched = 0;
  const fetchFile = async () => {
    fetched += 1;
    return { type: 'fetched' as const, bytes: Buffer.from('hello') };
  };
  const kind = { ...kindOf(world.channelKinds, 'api'), fetchFile };
  const remoteFiles = createRemoteFiles({ ...world, media });
  const owners = await Promise.all(Array.from({ length: 6 }, () => anAccount(world)));
  const lock = await holdLock(world.db, (sql) => sql`lock table media_usage in exclusive mode`);
  const texts: string[] = [];
  const brought = owners.flatMap(({ accountId }) =>
    Array.from({ length: 5 }, () => {
      const channel = { id: newUuid(), accountId, config: {} };
      return remoteFiles.bring({ kind, channel, told: told() }, async (whole) => {
        for (const one of whole) if (one.type === 'message') texts.push(String(one.message.text));
      });
    }),
  );
  await untilSomebodyWaits(world.db);
  expect(fetched).toBeLessThanOrEqual(6);
  await lock.letThrough();
  await Promise.all(brought);
  expect({ fetched, texts }).toEqual({ fetched: 30, texts: Array(30).fill('') });
});

test.for([
  { type: 'message', message: { message_id: newUuid(), sender: { external_id: 'ada' }, text: 'and this' } },
  { type: 'edit', chat: 'ada', message: { message_id: newUuid(), text: 'another', edited_at: 1 } },
  { type: 'choice', ref: newUuid(), messageId: newUuid(), index: 0, sender: { external_id: 'ada' } },
] as const)('each $type waits for the file of what its chat said before, and for no other chat', async (later) => {
  const fetching = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const fetchFile = async () => {
    fetching.resolve();
    await held.promise;
    return { type: 'fetched' as const, bytes: Buffer.from('hello') };
  };
  const kind = { ...kindOf(world.channelKinds, 'api'), fetchFile };
  const remoteFiles = createRemoteFiles({ ...world, media });
  const { accountId } = await anAccount(world);
  const channel = { id: newUuid(), accountId, config: {} };
  const received: string[] = [];
  const bring = (told: Told) =>
    remoteFiles.bring({ kind, channel, told: [told] }, async ([one]) => {
      received.push(one === undefined ? 'nothing' : one.type === 'message' && one.files ? 'with a file' : one.type);
    });
  const [withFile = expect.fail('nothing was told')] = told();
  const first = bring({ ...withFile, message: { ...withFile.message, sender: { external_id: 'ada' } } });
  await fetching.promise;
  const second = bring(later);
  await bring({ type: 'edit', chat: 'bob', message: { message_id: newUuid(), text: 'mine', edited_at: 1 } });
  expect(received).toEqual(['edit']);
  held.resolve();
  await Promise.all([first, second]);
  expect(received).toEqual(['edit', 'with a file', later.type]);
});
