import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { startDouble, type Double, type DoubleOptions } from './double.ts';

export type SiteOptions = DoubleOptions & {
  /** The site's policy; the strictest that the chat promises to work under when not given. */
  policy?: (origin: string) => string;
  /** Attributes of the html element, and of the script. */
  html?: string;
  script?: string;
  /** What stands in the page before the script. */
  body?: string;
  context?: BrowserContextOptions;
};

export const strictPolicy = (origin: string): string =>
  `script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'`;

/** A visitor's browser on a page of a site that has the chat. */
export type Visit = {
  double: Double;
  page: Page;
  context: BrowserContext;
  url: string;
  launcher: Locator;
  panel: Locator;
  field: Locator;
  /** Breaches of the site's policy, and errors that no code has caught. */
  complaints: () => string[];
  /** Another tab of the same browser. */
  openTab: () => Promise<Page>;
  write: (text: string, page?: Page) => Promise<void>;
  /** The texts in the thread, from top to bottom. */
  texts: (page?: Page) => Promise<string[]>;
};

/** Notes breaches of a page's policy in it. */
export const noteBreaches = `
  window.breaches = [];
  document.addEventListener('securitypolicyviolation', (event) => window.breaches.push(event.violatedDirective + ' ' + event.blockedURI));
`;

let launched: Promise<Browser> | undefined;

/** A site of another origin than Parley's, with one page under this policy. */
export const serveSite = async ({ policy, body }: { policy: string; body: string | (() => string) }) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
    response.end(typeof body === 'string' ? body : body());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, stop };
};

const shop = `<main style="max-width:900px;margin:48px auto;font:16px/1.6 Georgia,serif;padding:0 24px">
  <h1>Linen shirts</h1><p>Woven in small runs, cut to last. Free returns for thirty days.</p>
  <button type="button" id="ask">Ask us</button></main>`;

/** A page of the shop that has the chat. */
export const shopPage = (script: string, options: Pick<SiteOptions, 'html' | 'script' | 'body'> = {}): string =>
  `<!doctype html><html lang="en" ${options.html ?? ''}><head><title>Shirts</title><meta name="viewport" content="width=device-width">
<script src="${script}" async ${options.script ?? ''}></script></head><body>${options.body ?? shop}</body></html>`;

const patience = { timeout: 30_000 } as const;

/** What lists the texts of bubbles without the name that screen readers hear. */
export const textsOfChat = `[...document.querySelector('parley-webchat').shadowRoot.querySelectorAll('.message .bubble')]
  .map((bubble) => [...bubble.children].slice(1).map((part) => part.textContent).join(' '))`;

/** A double, a site with the chat, and a browser at it; all end with the test. */
export const visit = async ({ policy = strictPolicy, ...options }: SiteOptions = {}): Promise<Visit> => {
  const double = await startDouble(options);
  const site = await serveSite({
    policy: policy(double.url),
    body: shopPage(double.script, options),
  });
  const browser = await (launched ??= launchChromium());
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options.context });
  context.setDefaultTimeout(patience.timeout);
  await context.addInitScript(noteBreaches);
  onTestFinished(async () => {
    await context.close();
    await site.stop();
    await double.stop();
  });
  const complained: string[] = [];
  const openTab = async (): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => complained.push(error.message));
    page.on('console', (line) => {
      if (/Content Security Policy|Trusted/i.test(line.text())) complained.push(line.text());
    });
    await page.goto(site.url);
    return page;
  };
  const page = await openTab();
  return {
    double,
    page,
    context,
    url: site.url,
    launcher: page.locator('.launcher'),
    panel: page.getByRole('dialog'),
    field: page.locator('textarea'),
    complaints: () => complained,
    openTab,
    write: async (text, at = page) => {
      await at.locator('textarea').fill(text);
      await at.locator('textarea').press('Enter');
    },
    texts: async (at = page) => at.evaluate<string[]>(textsOfChat),
  };
};

/** Ends the browser with the file that opens visits. */
export const endBrowser = (): void =>
  afterAll(async () => {
    await (await launched)?.close();
    launched = undefined;
  });
