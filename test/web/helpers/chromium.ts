import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian and others install it. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the one that comes with the packages is unpacked to. */
const folder = fileURLToPath(new URL('../../../.cache/chromium', import.meta.url));

/** The browser of CHROMIUM, one that is installed, or the one that comes with the packages. */
const findChromium = async (): Promise<string> => {
  const found = [process.env['CHROMIUM'] ?? '', ...installed].find((path) => path !== '' && existsSync(path));
  return found ?? unpackChromium();
};

/** In a folder of its own first, because several files may need it at the same time. */
const unpackChromium = async (): Promise<string> => {
  const unpacked = join(folder, 'chromium');
  if (existsSync(unpacked)) return unpacked;
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const { default: packed } = await import('@sparticuz/chromium');
  const before = process.env['TMPDIR'];
  // It takes what lies in the folder for temporary files for its own.
  process.env['TMPDIR'] = unfinished;
  try {
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  return unpacked;
};

/** A browser without a window. */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
