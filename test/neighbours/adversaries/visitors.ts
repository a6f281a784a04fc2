import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../../../src/shared/platform/embedded/server-process.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { addressOf, aBrowser } from '../browser.ts';
import type { Caller, Installation } from '../installation.ts';
import { aFlowThatAnswers, make } from '../make.ts';
import { keepDoing, type Adversary } from './adversary.ts';

/** A webchat whose flow answers each message. */
const aWebchat = async (caller: Caller): Promise<string> => {
  await aFlowThatAnswers(caller);
  return make(caller, '/channels', { name: 'Shop', type: 'webchat', origins: [] });
};

/** A file of 1 MB that begins as an image does. */
const aFile = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1024 * 1024)]);

export const noisyVisitor: Adversary = {
  title: 'A visitor of a webchat who does all at once',
  how: 'writes, opens and closes streams, and uploads 1 MB, 40 at a time; begins as another visitor with every 20th request',
  begin: async (caller, { url }) => {
    const browser = aBrowser(url, await aWebchat(caller), addressOf(0));
    await browser.say('Hello');
    const kinds = [
      () => browser.say(newUuid()),
      () => browser.openStream(),
      () => browser.upload(aFile),
      async () => browser.closeStreams(),
    ];
    const stop = keepDoing(40, async (count) => {
      if (count % 20 === 0) await browser.beginAnew();
      await kinds[count % kinds.length]?.();
    });
    return async () => {
      browser.close();
      await stop();
    };
  },
};

/** Begins a crowd of a thousand visitors, in a process of its own. */
const aCrowd = async (
  caller: Caller,
  { url }: Installation,
  manners: 'polite' | 'rude',
): Promise<() => Promise<void>> => {
  const crowd = fork(fileURLToPath(new URL('../crowd.ts', import.meta.url)), [url, await aWebchat(caller), manners], {
    execArgv: [],
  });
  crowd.once('exit', endWithUs(crowd.pid ?? 0));
  await once(crowd, 'message');
  return async () => void crowd.kill();
};

export const visitorsAtOnce: Adversary = {
  title: 'A thousand visitors of a webchat at once',
  how: 'each at an address of their own with a stream, which they open 100 at a time; then they write, all at once, again and again, and after a refusal when `Retry-After` says so',
  begin: (caller, installation) => aCrowd(caller, installation, 'polite'),
};

export const rudeVisitors: Adversary = {
  title: 'A thousand visitors of a webchat who do not wait',
  how: 'the same, but after a refusal they come again at once',
  begin: (caller, installation) => aCrowd(caller, installation, 'rude'),
};
