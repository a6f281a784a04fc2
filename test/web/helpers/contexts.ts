import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/** Browser contexts for one test after the other: no two at the same time. */
export type Contexts = {
  /** One in which nobody is signed in and nothing is stored. Its cache of files may be that of a test before. */
  take: (options: BrowserContextOptions) => Promise<BrowserContext>;
  /** Closes its pages and forgets what they have stored. */
  giveBack: (context: BrowserContext) => Promise<void>;
  /** Closes all of them, also those in use. */
  close: () => Promise<void>;
};

/** Contexts for the pages of this origin. A new one loads and compiles the whole dashboard again, which costs more than most tests do. */
export const createContexts = (browser: Browser, origin: string): Contexts => {
  const idle = new Map<string, BrowserContext[]>();
  const kinds = new Map<BrowserContext, string>();

  const create = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    // Nothing fades in or out, which would be drawn without a graphics card, and waited for.
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    return context;
  };

  return {
    take: async (options) => {
      const kind = JSON.stringify(options);
      const context = idle.get(kind)?.pop() ?? (await create(options));
      kinds.set(context, kind);
      return context;
    },
    giveBack: async (context) => {
      const kind = kinds.get(context) ?? '';
      const [page] = context.pages();
      if (!page) return context.close();
      // Nothing takes Playwright's clock away again.
      if (await page.evaluate('"__pwClock" in globalThis')) throw new Error('A clock would stay: open this page alone');
      const cdp = await context.newCDPSession(page);
      for (const other of context.pages()) if (other !== page) await other.close();
      // What it would store while it goes is forgotten, too.
      await page.goto('about:blank');
      await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await context.clearCookies();
      await page.close();
      idle.set(kind, [...(idle.get(kind) ?? []), context]);
      return undefined;
    },
    close: async () => {
      const all = [...kinds.keys()];
      kinds.clear();
      idle.clear();
      await Promise.all(all.map((context) => context.close()));
    },
  };
};
