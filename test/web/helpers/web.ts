import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { sessionCookieName } from '../../../src/api/session-cookie.ts';
import { startApi, type TestApi } from '../../helpers/api.ts';
import { launchChromium } from './chromium.ts';
import { createContexts } from './contexts.ts';

type OpenOptions = BrowserContextOptions & {
  /** A session's token; nobody is signed in when not given. */
  session?: string;
  /** Whether no other test gets this browser, for something stays in it, such as a clock. */
  alone?: boolean;
  /** Whether it stays open when the test that opens it is over, until `stop`. */
  stays?: boolean;
};

/** A browser at the dashboard. */
export type Web = {
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

/** One for all files of a worker, with which it ends: its start costs as much as a few pages do. */
let launched: Promise<Browser> | undefined;

/** Pages for this API. */
export const startWeb = async (api: Pick<TestApi, 'url' | 'deps'>): Promise<Web> => {
  const browser = await (launched ??= launchChromium());
  const contexts = createContexts(browser, api.url);
  const complained: { page: Page; text: string }[] = [];
  return {
    open: async (
      path,
      { session, alone = false, stays = false, viewport = wide, colorScheme = 'light', ...options } = {},
    ) => {
      const page = await contexts.take(options);
      const context = page.context();
      if (!stays) onTestFinished(() => (alone ? context.close() : contexts.giveBack(page)));
      if (session !== undefined)
        await context.addCookies([{ name: sessionCookieName(api.deps.config), value: session, url: api.url }]);
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
    stop: contexts.close,
  };
};

const requireNoComplaints = (web: Web): void => {
  const complaints = web.complaints();
  if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`);
};

/** A browser of a whole test file for this API, in which no page may complain. After the file it is closed, and then what it looked at. */
export const useWebOf = async (api: Pick<TestApi, 'url' | 'deps'>, stop: () => Promise<void>): Promise<Web> => {
  const web = await startWeb(api);
  afterAll(async () => {
    await web.stop();
    await stop();
    requireNoComplaints(web);
  });
  return web;
};

/** Of this worker, for all of its files. Both end with it. */
let shared: Promise<{ api: TestApi; web: Web }> | undefined;

const share = async () => {
  const api = await startApi();
  return { api, web: await startWeb(api) };
};

/**
 * API and browser, in which no page of a test file may complain. Other files have the same ones, so that the browser has the dashboard at hand: a test
 * makes accounts of its own, and counts nothing of all accounts together.
 */
export const useWeb = async (): Promise<{ api: TestApi; web: Web }> => {
  const both = await (shared ??= share());
  afterAll(() => {
    both.api.requireDocumented();
    requireNoComplaints(both.web);
  });
  return both;
};
