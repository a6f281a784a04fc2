import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { listAddresses, openAddresses } from '../helpers/addresses.ts';
import { startFurnishedAccount } from '../helpers/furnished/account.ts';
import { asMarkup, asWritten } from '../helpers/furnished/wording.ts';
import { fadedIn } from '../helpers/axe.ts';
import { createVisitors, type Visitor } from '../helpers/visitors.ts';
import { startWeb } from '../helpers/web.ts';

/**
 * Pictures of every page, light and dark, wide and narrow. Git ignores the folder. `WORDING=markup` has the longest texts, as the tests have them.
 */
const folder = fileURLToPath(new URL('../../../shots/', import.meta.url));
await mkdir(folder, { recursive: true });

const { api, sessions, values, stop } = await startFurnishedAccount(
  process.env['WORDING'] === 'markup' ? asMarkup : asWritten,
);
const web = await startWeb(api);
afterAll(async () => {
  await web.stop();
  await stop();
});

const widths = [1440, 768, 360] as const;
const schemes = ['light', 'dark'] as const;

/** Answers how many it has taken. */
const takeAll = async ({ page, settled }: Visitor, title: string): Promise<number> => {
  const name = title.replaceAll(/[^\w=]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  for (const width of widths)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: width === 360 ? 740 : 960 });
      await settled();
      await page.evaluate(fadedIn);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  return widths.length * schemes.length;
};

const asOwner = createVisitors(web, { session: sessions.owner });
const asAnyone = createVisitors(web);

test.concurrent.for(listAddresses(values))('$title', async ({ title, address }) => {
  await asOwner(async (visitor) => {
    await visitor.visit(address);
    expect(await takeAll(visitor, title)).toBe(widths.length * schemes.length);
  });
});

test.concurrent.for(openAddresses)('$title', async ({ title, address }) => {
  await asAnyone(async (visitor) => {
    await visitor.visit(address);
    expect(await takeAll(visitor, title)).toBe(widths.length * schemes.length);
  });
});
