import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { fadedIn } from '../helpers/axe.ts';

/** The pictures of the documents. */
const folder = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** As many bytes as a picture of the documents may have. */
export const mostBytes = 120_000;

/** Compressed as WebP, which only the browser's own protocol offers. Answers the bytes. */
export const take = async (page: Page, name: string): Promise<number> => {
  await page.evaluate(fadedIn);
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const bytes = Buffer.from(data, 'base64');
  await writeFile(`${folder}${name}.webp`, bytes);
  return bytes.length;
};
