import { setTimeout as wait } from 'node:timers/promises';
import { newUuid } from '../../src/shared/ids.ts';
import { keepDoing } from './adversaries/adversary.ts';
import { aBrowser, addressOf } from './browser.ts';

const [url = '', webchatId = '', manners = ''] = process.argv.slice(2);

/**
 * A thousand visitors, in a process of their own. It tells its parent when each of them has a stream. Then they write, all at once, again and again:
 * `rude` ones at once after a refusal, too.
 */
const browsers = Array.from({ length: 1_000 }, (_, nth) => aBrowser(url, webchatId, addressOf(nth)));

/** A refused one comes again when `Retry-After` says so, as the widget does. */
const again = (): Promise<void> => wait(5_000);

const untilTaken = async (act: () => Promise<number>): Promise<void> => {
  while ((await act()) >= 300) await again();
};

const coming = [...browsers];
const come = async (): Promise<void> => {
  for (let browser = coming.pop(); browser; browser = coming.pop()) {
    await untilTaken(browser.beginAnew);
    await untilTaken(browser.openStream);
  }
};
await Promise.all(Array.from({ length: 100 }, come));
process.send?.('open');
keepDoing(browsers.length, async (count) => {
  const browser = browsers[count % browsers.length];
  const status = await browser?.say(newUuid());
  if (status !== undefined && status >= 300 && manners !== 'rude') await again();
});
