import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { sessionCookieName } from '../../../src/api/session-cookie.ts';
import { startApi, type ApiOptions, type TestApi } from '../../helpers/api.ts';
import { launchChromium } from './chromium.ts';
import { createContexts } from './contexts.ts';

type OpenOptions = BrowserContextOptions & {
  /** A session's token; nobody is signed in when not given. */
  session?: string;
  /** Whether it stays open when the test that opens it is over, until `stop`. */
  stays?: boolean;
};

/** A browser at the dashboard. */
export type Web = {
  browser: Browser;
  /**
   * Opens a path in a browser that knows nobody and has nothing stored. It may have the dashboard's files from a test before, as a browser has that comes
   * again. It is closed after the test.
   */
  open: (path: string, options?: OpenOptions) => Promise<Page>;
  /**
   * What browsers have complained of since it was asked last: errors, also those that only the console has, and breaches of the policy. Only one page's
   * where it is given.
   */
  complaints: (page?: Page) => string[];
  stop: () => Promise<void>;
};

/** An answer that refuses is an answer: what becomes of it is the page's matter. */
const isRefusal = (text: string): boolean => /the server responded with a status of 4\d\d/.test(text);

const wide = { width: 1280, height: 900 } as const;

/** A browser for this API. */
export const startWeb = async (api: Pick<TestApi, 'url' | 'deps'>): Promise<Web> => {
  const browser = await launchChromium();
  const contexts = createContexts(browser, api.url);
  const complained: { page: Page; text: string }[] = [];
  return {
    browser,
    open: async (path, { session, stays = false, viewport = wide, colorScheme = 'light', ...options } = {}) => {
      const context = await contexts.take(options);
      if (session !== undefined)
        await context.addCookies([{ name: sessionCookieName(api.deps.config), value: session, url: api.url }]);
      const page = await context.newPage();
      if (!stays) onTestFinished(() => contexts.giveBack(context));
      await Promise.all([page.emulateMedia({ colorScheme }), viewport && page.setViewportSize(viewport)]);
      const complain = (text: string) => complained.push({ page, text: `${new URL(page.url()).pathname}: ${text}` });
      page.on('pageerror', (error) => complain(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error' && !isRefusal(line.text())) complain(line.text());
      });
      await page.goto(`${api.url}${path}`);
      return page;
    },
    complaints: (of) => {
      const asked = complained.filter(({ page }) => of === undefined || page === of);
      for (const one of asked) complained.splice(complained.indexOf(one), 1);
      return asked.map(({ text }) => text);
    },
    stop: async () => {
      await browser.close();
    },
  };
};

/** A browser of a whole test file for this API, in which no page may complain. After the file it is closed, and then what it looked at. */
export const useWebOf = async (api: Pick<TestApi, 'url' | 'deps'>, stop: () => Promise<void>): Promise<Web> => {
  const web = await startWeb(api);
  afterAll(async () => {
    const complaints = web.complaints();
    await web.stop();
    await stop();
    if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
  });
  return web;
};

/** API and browser of a whole test file, stopped after it, in which no page may complain. */
export const useWeb = async (options: ApiOptions = {}): Promise<{ api: TestApi; web: Web }> => {
  const api = await startApi(options);
  return { api, web: await useWebOf(api, api.stop) };
};
