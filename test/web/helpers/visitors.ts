import type { Page } from 'playwright-core';
import { words } from '../../../src/web/shell/words.ts';
import { followLoading } from './settled.ts';
import type { Web } from './web.ts';

/** Visits pages one after the other, in a browser that stays open. */
export type Visitor = {
  page: Page;
  /** Opens an address as a link in a mail does: the dashboard is loaded. Waits until the page shows all that it has asked for. */
  visit: (address: string) => Promise<void>;
  /** Goes to an address as a link in the dashboard does, which is loaded already, and waits likewise. */
  goTo: (address: string) => Promise<void>;
  /** Goes where nothing of the account is shown. */
  leave: () => Promise<void>;
  settled: () => Promise<void>;
  /** What went wrong since it was asked last: errors, breaches of the policy, and dialogs that a script has opened. */
  complaints: () => string[];
};

/** A path that has no page. */
const nowhere = '/nowhere';

/** Tells the router of an address, as the browser's own buttons do. */
const changeTo = (address: string): string =>
  `history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`;

const openVisitor = async (web: Web, session: string | undefined): Promise<Visitor> => {
  const page = await web.open(nowhere, { ...(session !== undefined && { session }), stays: true });
  const { settled } = followLoading(page);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const visit = async (address: string): Promise<void> => {
    await page.goto(new URL(address, page.url()).href);
    await page.getByRole('heading').first().waitFor();
    await settled();
  };
  const goTo = async (address: string): Promise<void> => {
    // By way of a page that shows nothing: what is shown afterwards is not what a page before has left.
    const noPage = page.getByRole('heading', { name: words.noPage });
    await page.evaluate(changeTo(nowhere));
    await noPage.waitFor();
    await page.evaluate(changeTo(address));
    await noPage.waitFor({ state: 'detached' });
    await page.getByRole('heading').first().waitFor();
    await settled();
  };
  const leave = async (): Promise<void> => {
    await page.evaluate(changeTo(nowhere));
    await settled();
  };
  return { page, visit, goTo, leave, settled, complaints: () => [...dialogs.splice(0), ...web.complaints(page)] };
};

type VisitorsOptions = {
  /** A session's token; nobody is signed in when not given. */
  session?: string;
  /** How many there are at most; as many as two processors keep busy when not given. */
  lanes?: number;
};

/** Visitors of one session, or of none, that tests which run at the same time take in turns. */
export const createVisitors = (
  web: Web,
  { session, lanes = 3 }: VisitorsOptions = {},
): ((work: (visitor: Visitor) => Promise<void>) => Promise<void>) => {
  const idle: Visitor[] = [];
  const waiting: ((visitor: Visitor) => void)[] = [];
  let opened = 0;
  const take = (): Visitor | Promise<Visitor> => {
    const visitor = idle.pop();
    if (visitor) return visitor;
    if (opened === lanes) return new Promise((resolve) => waiting.push(resolve));
    opened += 1;
    return openVisitor(web, session);
  };
  return async (work) => {
    const visitor = await take();
    try {
      await work(visitor);
    } finally {
      const next = waiting.shift();
      if (next) next(visitor);
      else idle.push(visitor);
    }
  };
};
