import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Browser contexts for one test after the other, each with a page: no two tests have one at the same time. */
export type Contexts = {
  /** The page of one in which nobody is signed in and nothing is stored. Its cache of files may be that of a test before. */
  take: (options: BrowserContextOptions) => Promise<Page>;
  /** Closes the context's other pages, and forgets what they and this one have stored, where it was, and who listens to it. */
  giveBack: (page: Page) => Promise<void>;
  /** Closes all of them, also those in use. */
  close: () => Promise<void>;
};

/**
 * Contexts for the pages of this origin. A new one loads and compiles the whole dashboard again, which costs more than most tests do; a new page takes
 * a process of its own, which costs as much as the dashboard does.
 */
export const createContexts = (browser: Browser, origin: string): Contexts => {
  const idle = new Map<string, Page[]>();
  const kinds = new Map<Page, string>();

  const create = async (options: BrowserContextOptions): Promise<Page> => {
    // Nothing fades in or out, which would be drawn without a graphics card, and waited for.
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    return context.newPage();
  };

  return {
    take: async (options) => {
      const kind = JSON.stringify(options);
      const page = idle.get(kind)?.pop() ?? (await create(options));
      kinds.set(page, kind);
      return page;
    },
    giveBack: async (page) => {
      const kind = kinds.get(page) ?? '';
      const context = page.context();
      if (page.isClosed()) return context.close();
      // Nothing takes Playwright's clock away again.
      if (await page.evaluate('"__pwClock" in globalThis')) throw new Error('A clock would stay: open this page alone');
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.evaluate('sessionStorage.clear()');
      // What it would store while it goes is forgotten, too.
      await page.goto('about:blank');
      await page.mouse.move(0, 0);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await cdp.send('Page.resetNavigationHistory');
      await cdp.detach();
      await context.clearCookies();
      idle.set(kind, [...(idle.get(kind) ?? []), page]);
      return undefined;
    },
    close: async () => {
      const all = [...kinds.keys()];
      kinds.clear();
      idle.clear();
      await Promise.all(all.map((page) => page.context().close()));
    },
  };
};
