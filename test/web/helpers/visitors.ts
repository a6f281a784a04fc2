import type { Page } from 'playwright-core';
import { followLoading } from './settled.ts';
import type { Web } from './web.ts';

/** Visits pages one after the other, in a browser that stays open. */
export type Visitor = {
  page: Page;
  /** Opens an address, and waits until the page shows all that it has asked for. */
  visit: (address: string) => Promise<void>;
  settled: () => Promise<void>;
  /** What went wrong since it was asked last: errors, breaches of the policy, and dialogs that a script has opened. */
  complaints: () => string[];
};

const openVisitor = async (web: Web, session: string | undefined): Promise<Visitor> => {
  const page = await web.open('/sign-in', { ...(session !== undefined && { session }), stays: true });
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
  return { page, visit, settled, complaints: () => [...dialogs.splice(0), ...web.complaints(page)] };
};

/** As many as two processors keep busy. */
const lanes = 3;

/** Visitors of one session, or of none, that tests which run at the same time take in turns. */
export const createVisitors = (
  web: Web,
  session?: string,
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
